import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { IconSearch, IconUsers } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useQuery } from 'urql';
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
import { shortTraits, type Trait } from '../../pieces/short-traits.ts';
import type { Column } from '../../pieces/Table.tsx';
import { UserLink } from '../../pieces/UserLink.tsx';
import { When } from '../../pieces/When.tsx';
import { listState } from './back-to-list.ts';
import { Erasing } from './privacy/Erasing.tsx';
import { ERASURES_OF_USER } from './privacy/erasures-of-user.ts';
import { TraitFilter } from './TraitFilter.tsx';

const CONTACTS = graphql(`
  query Contacts(
    $search: String, $trait: ContactTraitInput, $isSuppressed: Boolean, $after: String
  ) {
    contacts(
      first: 50, search: $search, trait: $trait, isSuppressed: $isSuppressed, after: $after
    ) {
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
  const filter = useMemo(() => filterIn(params), [params]);
  const variables = useMemo(
    () => ({
      ...(filter.search !== '' && { search: filter.search }),
      ...(filter.trait && { trait: filter.trait }),
      ...(['yes', 'no'].includes(filter.state) && { isSuppressed: filter.state === 'yes' }),
    }),
    [filter],
  );
  const state = useMemo(() => listState(params), [params]);
  const [narrowed, setNarrowed] = useState(0);
  const narrow = (search: string) => {
    change('search', search);
    setNarrowed(narrowed + 1);
  };
  const columns = useMemo(() => columnsOf(filter.trait, state), [filter, state]);
  return (
    <Page
      title="People"
      about="The contacts of this workspace: what they did, received and consented to."
    >
      <Card isFlush>
        <Filters key={narrowed} {...filter} isTraitNext={narrowed > 0} onChange={change} />
        <PagedTable
          label="People"
          document={CONTACTS}
          variables={variables}
          connectionOf={data => data.contacts}
          typename="Contact"
          keyOf={({ id }) => id}
          columns={columns}
          empty={
            <Nobody
              filter={filter}
              isFiltered={Object.keys(variables).length > 0}
              onNarrow={narrow}
            />
          }
        />
      </Card>
    </Page>
  );
}

type Filter = {
  readonly search: string;
  readonly traitName: string;
  readonly traitValue: string;
  /** Undefined until the trait has a value. */
  readonly trait: Trait | undefined;
  readonly state: string;
};

function filterIn(params: URLSearchParams): Filter {
  const [traitName, traitValue] = [params.get('trait') ?? '', params.get('value') ?? ''];
  const isWhole = traitName !== '' && traitValue !== '';
  return {
    search: params.get('search') ?? '',
    traitName,
    traitValue,
    trait: isWhole ? { name: traitName, value: traitValue } : undefined,
    state: params.get('suppressed') ?? '',
  };
}

type FiltersProps = Filter & {
  /** The viewer asked to choose a trait. */
  readonly isTraitNext: boolean;
  readonly onChange: (name: string, value: string) => void;
};

/** Remounted when something else than its input changes the search. */
function Filters(props: FiltersProps) {
  const { search, traitName, traitValue, state, isTraitNext, onChange } = props;
  const trait = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isTraitNext) trait.current?.focus();
  }, [isTraitNext]);
  return (
    <FilterBar
      label="Search by user ID, name or email"
      placeholder="User ID, name or email"
      search={search}
      onSearch={text => onChange('search', text)}
    >
      <TraitFilter
        ref={trait}
        name={traitName}
        value={traitValue}
        onChange={(name, value) => {
          onChange('trait', name);
          onChange('value', value);
        }}
      />
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

type NobodyProps = {
  readonly filter: Filter;
  readonly isFiltered: boolean;
  /** Searches for this and asks for a trait. */
  readonly onNarrow: (search: string) => void;
};

function Nobody({ filter: { search, trait }, isFiltered, onNarrow }: NobodyProps) {
  if (trait)
    return (
      <Empty
        title={`No contact found${search && ` for “${search}”`} with ${trait.name} “${trait.value}”`}
        icon={IconSearch}
      >
        The value of a trait must be exactly the same, also in uppercase and lowercase letters.
      </Empty>
    );
  if (search !== '') return <NotFound search={search} onNarrow={onNarrow} />;
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

type NotFoundProps = Pick<NobodyProps, 'onNarrow'> & { readonly search: string };

/** Of an erased person, nothing is left to show a timeline of. */
function NotFound({ search, onNarrow }: NotFoundProps) {
  const [{ data, fetching }] = useQuery({
    query: ERASURES_OF_USER,
    variables: { userId: search },
  });
  const [first = '', ...others] = search.split(/\s+/);
  // Not what the previous search has found.
  const erasureId = fetching ? undefined : data?.personErasures.nodes[0]?.id;
  if (erasureId !== undefined)
    return (
      <Box p="lg">
        <Erasing key={erasureId} userId={search} erasureId={erasureId} />
      </Box>
    );
  return (
    <Empty title={`No contact found for “${search}”`} icon={IconSearch}>
      Contacts are found by the beginning of their user ID, name, surname or email. To find them by
      anything else, such as their city, choose a trait. Events are also kept for users without a
      contact.
      <Group justify="center" gap="xs" mt="md">
        {others.length > 0 && (
          <Button variant="default" onClick={() => onNarrow(first)}>
            Search for “{first}” and choose a trait
          </Button>
        )}
        <Button component={Link} href={`/people/${encodeURIComponent(search)}`} variant="default">
          Show the timeline of “{search}”
        </Button>
      </Group>
    </Empty>
  );
}

/** A filtered trait is shown first. */
function columnsOf(trait: Trait | undefined, state: unknown): readonly Column<Listed>[] {
  return [
    {
      title: 'Person',
      cell: ({ userId, traits, suppressedAt }) => (
        <Stack gap={2}>
          <Group gap="xs">
            <Text fw={600} size="sm">
              <UserLink userId={userId} state={state} />
            </Text>
            {suppressedAt !== null && <State name="SUPPRESSED" tone="bad" />}
          </Group>
          <Text size="xs" c="dimmed" lineClamp={1}>
            {personName(traits)}
          </Text>
        </Stack>
      ),
    },
    {
      title: 'Traits',
      isWide: true,
      cell: ({ traits }) => (
        <Text size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          {shortTraits(traits, trait)}
        </Text>
      ),
    },
    { title: 'Created', isWide: true, cell: ({ createdAt }) => <When at={createdAt} isRelative /> },
    {
      title: 'Updated',
      isWide: true,
      cell: ({ updatedAt }) => <When at={updatedAt} isRelative />,
    },
  ];
}
