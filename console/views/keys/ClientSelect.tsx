import { Select } from '@mantine/core';
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
      allowDeselect={false}
      onChange={name => onChange(SNIPPETS.find(snippet => snippet.name === name) ?? value)}
    />
  );
}

const BY_VENDOR = [...Map.groupBy(SNIPPETS, ({ vendor }) => vendor)].map(([vendor, snippets]) => ({
  group: vendor,
  items: snippets.map(({ name }) => name),
}));
