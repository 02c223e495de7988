import { Button, Stack, Text } from '@mantine/core';
import { IconSearch, IconUsers } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { graphql, type ResultOf } from '../../graph/graphql.ts';
import { Card } from '../../pieces/Card.tsx';
import { Empty } from '../../pieces/Empty.tsx';
import { FilterBar } from '../../pieces/filters/FilterBar.tsx';
import { FilterSelect } from '../../pieces/filters/FilterSelect.tsx';
import { useAddressFilters } from '../../pieces/filters/use-address-filters.ts';
import { Page } from '../../pieces/Page.tsx';
import { PagedTable } from '../../pieces/PagedTable.tsx';
import { personName } from '../../pieces/person-name.ts';
import { State } from '../../pieces/State.tsx';
import type { Column } from '../../pieces/Table.tsx';
import { UserLink } from '../../pieces/UserLink.tsx';
import { When } from '../../pieces/When.tsx';

const CONTACTS = graphql(`
  query Contacts($search: String, $isSuppressed: Boolean, $after: String) {
    contacts(first: 50, search: $search, isSuppressed: $isSuppressed, after: $after) {
      nodes { id userId traits suppressedAt createdAt updatedAt }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

type Listed = ResultOf<typeof CONTACTS>['contacts']['nodes'][number];

const STATES = [
  { value: 'no', label: 'Not suppressed' },
  { value: 'yes', label: 'Suppressed' },
];

/** The contacts of the workspace. The filters are kept in the address. */
export function PeopleList() {
  const { params, change } = useAddressFilters();
  const [search, state] = [params.get('search') ?? '', params.get('suppressed') ?? ''];
  const variables = useMemo(
    () => ({
      ...(search !== '' && { search }),
      ...(['yes', 'no'].includes(state) && { isSuppressed: state === 'yes' }),
    }),
    [search, state],
  );
  return (
    <Page
      title="People"
      about="The contacts of this workspace: what they did, received and agreed to."
    >
      <Card isFlush>
        <Filters search={search} state={state} onChange={change} />
        <PagedTable
          label="People"
          document={CONTACTS}
          variables={variables}
          connectionOf={data => data.contacts}
          typename="Contact"
          keyOf={({ id }) => id}
          columns={COLUMNS}
          empty={<Nobody search={search} isFiltered={Object.keys(variables).length > 0} />}
        />
      </Card>
    </Page>
  );
}

type FiltersProps = {
  readonly search: string;
  readonly state: string;
  readonly onChange: (name: string, value: string) => void;
};

function Filters({ search, state, onChange }: FiltersProps) {
  return (
    <FilterBar
      label="Search by user ID, name or email"
      placeholder="User ID, name or email"
      search={search}
      onSearch={text => onChange('search', text)}
    >
      <FilterSelect
        label="Suppression"
        all="Everyone"
        options={STATES}
        value={STATES.some(({ value }) => value === state) ? state : ''}
        onChange={value => onChange('suppressed', value)}
      />
    </FilterBar>
  );
}

function Nobody({ search, isFiltered }: { search: string; isFiltered: boolean }) {
  if (search !== '')
    return (
      <Empty title={`No contact found for “${search}”`} icon={IconSearch}>
        Contacts are found by the beginning of their user ID, name, surname or email. Events are
        also kept for users without a contact:
        <div>
          <Button
            component={Link}
            href={`/people/${encodeURIComponent(search)}`}
            variant="default"
            mt="md"
          >
            Show the timeline of “{search}”
          </Button>
        </div>
      </Empty>
    );
  if (isFiltered) return <Empty title="No results" icon={IconSearch} />;
  return (
    <Empty title="No people yet" icon={IconUsers}>
      A contact is created by the first identify call of an app, or through the API.
      <div>
        <Button component={Link} href="/keys" variant="default" mt="md">
          Open SDK keys
        </Button>
      </div>
    </Empty>
  );
}

const COLUMNS: readonly Column<Listed>[] = [
  {
    title: 'Person',
    cell: ({ userId, traits }) => (
      <Stack gap={2}>
        <Text fw={600} size="sm">
          <UserLink userId={userId} />
        </Text>
        <Text size="xs" c="dimmed" lineClamp={1}>
          {personName(traits)}
        </Text>
      </Stack>
    ),
  },
  {
    title: 'State',
    cell: ({ suppressedAt }) =>
      suppressedAt === null ? (
        <Text size="sm" c="dimmed">
          –
        </Text>
      ) : (
        <State name="SUPPRESSED" tone="bad" />
      ),
  },
  { title: 'Created', isWide: true, cell: ({ createdAt }) => <When at={createdAt} isRelative /> },
  {
    title: 'Updated',
    isWide: true,
    cell: ({ updatedAt }) => <When at={updatedAt} isRelative />,
  },
];
