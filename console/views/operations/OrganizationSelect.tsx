import { Group, Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useQuery } from 'urql';
import { graphql } from '../../graph/graphql.ts';
import { inDayOf } from '../../pieces/in-words.ts';

const FOUND = graphql(`
  query OrganizationOptions($search: String) {
    platformOrganizations(first: 20, search: $search) { nodes { id name createdAt closedAt } }
  }
`);

const TYPING_MS = 300;

export type ChosenOrganization = {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly closedAt: string | null;
};

type OrganizationSelectProps = {
  readonly value: ChosenOrganization | null;
  readonly onChange: (organization: ChosenOrganization | null) => void;
  readonly label?: string;
  readonly description?: string;
  readonly placeholder?: string;
  readonly isRequired?: boolean;
  readonly error?: string | undefined;
};

/** Finds an organization by its name. Those of the same name differ by when they were created. */
export function OrganizationSelect(props: OrganizationSelectProps) {
  const { value, onChange, label = 'Organization', isRequired = false, ...field } = props;
  const [search, setSearch] = useState('');
  const [typed] = useDebouncedValue(search, TYPING_MS);
  const [{ data, fetching }] = useQuery({ query: FOUND, variables: { search: typed || null } });
  const found = data?.platformOrganizations.nodes ?? [];
  const options: readonly ChosenOrganization[] =
    value === null || found.some(({ id }) => id === value.id) ? found : [value, ...found];
  return (
    <Select
      {...field}
      label={label}
      required={isRequired}
      searchable
      clearable={!isRequired}
      data={options.map(({ id, name }) => ({ value: id, label: name }))}
      value={value?.id ?? null}
      onChange={id => onChange(options.find(one => one.id === id) ?? null)}
      searchValue={search}
      onSearchChange={setSearch}
      nothingFoundMessage={fetching ? 'Searching…' : 'No matching organizations'}
      renderOption={({ option }) => <Option of={options.find(({ id }) => id === option.value)} />}
    />
  );
}

function Option({ of }: { readonly of: ChosenOrganization | undefined }) {
  if (of === undefined) return null;
  return (
    <Group gap="xs">
      <Text size="sm">{of.name}</Text>
      <Text size="xs" c="dimmed">
        {of.closedAt === null ? `created ${inDayOf(of.createdAt)}` : 'closed'}
      </Text>
    </Group>
  );
}
