import { Anchor, Button, Group, Loader, Text } from '@mantine/core';
import { IconRoute, IconSearch } from '@tabler/icons-react';
import { useEffect } from 'react';
import { Link } from 'wouter';
import type { ResultOf } from '../../../graph/graphql.ts';
import { Empty } from '../../../pieces/Empty.tsx';
import { MoreButton } from '../../../pieces/MoreButton.tsx';
import { Problem } from '../../../pieces/Problem.tsx';
import { Table } from '../../../pieces/Table.tsx';
import { usePages } from '../../../pieces/use-pages.ts';
import { NEW_JOURNEY } from '../journey-paths.ts';
import type { JourneyStatus } from '../journey-words.ts';
import { COLUMNS } from './journey-columns.tsx';
import { JOURNEY_LIST } from './list-query.ts';

type FoundProps = {
  readonly data: ResultOf<typeof JOURNEY_LIST>;
  readonly search: string;
  readonly variables: { readonly status?: JourneyStatus };
  readonly onClear: () => void;
};

/** The API has no search for journeys: a search loads the further pages and looks through them. */
export function Found({ data, search, variables, onClear }: FoundProps) {
  const pages = usePages(data.journeys, JOURNEY_LIST, variables, ({ journeys }) => journeys);
  const { nodes, page, isLoading, error, showMore } = pages;
  const isSearching = search !== '' && page.hasNextPage && error === undefined;
  useEffect(() => {
    if (isSearching && !isLoading) showMore();
  });
  const wanted = search.toLocaleLowerCase();
  const found = nodes.filter(({ name }) => name.toLocaleLowerCase().includes(wanted));
  return (
    <>
      {found.length > 0 && (
        <Table label="Journeys" rows={found} keyOf={({ id }) => id} columns={COLUMNS} />
      )}
      {error && <Problem error={error} onRetry={showMore} />}
      {isSearching ? (
        <Group p="lg" gap="sm" role="status">
          <Loader size="xs" aria-hidden />
          <Text size="sm" c="dimmed">
            Searching older journeys…
          </Text>
        </Group>
      ) : (
        found.length === 0 &&
        error === undefined && <Nothing search={search} {...variables} onClear={onClear} />
      )}
      {search === '' && <MoreButton page={page} isLoading={isLoading} onMore={showMore} />}
    </>
  );
}

type NothingProps = Pick<FoundProps, 'search' | 'onClear'> & FoundProps['variables'];

function Nothing({ search, status, onClear }: NothingProps) {
  if (search !== '' || status !== undefined)
    return (
      <Empty title="No matching journeys" icon={IconSearch}>
        <Anchor component="button" type="button" onClick={onClear}>
          Clear filters
        </Anchor>
      </Empty>
    );
  return (
    <Empty title="No journeys yet" icon={IconRoute}>
      A journey sends messages and shows widgets to each person who enters, with waits in between.
      <br />
      <Button component={Link} href={NEW_JOURNEY} mt="md">
        New journey
      </Button>
    </Empty>
  );
}
