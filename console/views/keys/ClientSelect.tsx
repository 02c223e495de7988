import { Select } from '@mantine/core';
import type { SyntheticEvent } from 'react';
import { CURL } from '../../snippets/plain-http.ts';
import type { Snippet } from '../../snippets/snippet.ts';
import { SNIPPETS } from '../../snippets/snippets.ts';

type ClientSelectProps = {
  readonly value: Snippet;
  readonly onChange: (client: Snippet) => void;
  readonly description?: string;
};

/** The platforms that have a snippet, by their vendor. */
export function ClientSelect({ value, onChange, description }: ClientSelectProps) {
  return (
    <Select
      label="Client"
      description={description}
      data={BY_VENDOR}
      value={value.name}
      searchable
      selectFirstOptionOnChange
      // So that typing replaces the text.
      onFocus={select}
      onClick={select}
      nothingFoundMessage="No matching clients"
      allowDeselect={false}
      onChange={name => onChange(SNIPPETS.find(snippet => snippet.name === name) ?? value)}
    />
  );
}

const select = ({ currentTarget }: SyntheticEvent<HTMLInputElement>) => currentTarget.select();

const BY_VENDOR = [...Map.groupBy(SNIPPETS, ({ vendor }) => vendor)].map(([vendor, snippets]) => ({
  group: vendor,
  items: snippets.map(snippet => ({ value: snippet.name, label: labelOf(snippet) })),
}));

/** What a first test is made with, whatever sends the events later. */
function labelOf(snippet: Snippet): string {
  return snippet === CURL ? 'curl or another HTTP client' : snippet.name;
}
