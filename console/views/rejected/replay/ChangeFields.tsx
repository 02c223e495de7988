import { ActionIcon, Group, Select, TextInput, Tooltip } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { type Change, faultsOf, KINDS, type Kind, VALUES, type Value } from './change.ts';

type ChangeFieldsProps = {
  /** For the labels: the position in the list, starting at 1. */
  readonly number: number;
  readonly change: Change;
  readonly showsFaults: boolean;
  readonly onChange: (change: Change) => void;
  readonly onRemove: () => void;
};

const KIND_OPTIONS = Object.entries(KINDS).map(([value, label]) => ({ value, label }));
const VALUE_OPTIONS = Object.entries(VALUES).map(([value, label]) => ({ value, label }));

/** One change to a field. */
export function ChangeFields({ number, change, showsFaults, ...on }: ChangeFieldsProps) {
  const { kind, path } = change;
  const faults = showsFaults ? faultsOf(change) : {};
  const put = (part: Partial<Change>) => on.onChange({ ...change, ...part });
  return (
    <Group
      component="fieldset"
      aria-label={`Correction ${number}`}
      gap="xs"
      align="flex-start"
      m={0}
      p={0}
      bd={0}
    >
      <Select
        aria-label="Change"
        w={150}
        data={KIND_OPTIONS}
        value={kind}
        allowDeselect={false}
        onChange={next => put({ kind: next as Kind })}
      />
      <TextInput
        aria-label="Field"
        placeholder="properties.total"
        flex="1 1 10rem"
        value={path}
        error={faults.path}
        {...PLAIN}
        onChange={({ currentTarget }) => put({ path: currentTarget.value })}
      />
      {kind === 'rename' && (
        <TextInput
          aria-label="New name"
          placeholder="New name"
          flex="1 1 10rem"
          value={change.to}
          error={faults.to}
          {...PLAIN}
          onChange={({ currentTarget }) => put({ to: currentTarget.value })}
        />
      )}
      {(kind === 'set' || kind === 'fill') && (
        <ValueFields change={change} fault={faults.to} onChange={put} />
      )}
      <Tooltip label="Remove the correction">
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          aria-label={`Remove correction ${number}`}
          onClick={on.onRemove}
        >
          <IconTrash size={17} />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}

/** Field names are case-sensitive. */
const PLAIN = { autoCapitalize: 'off', autoCorrect: 'off', spellCheck: false } as const;

type ValueFieldsProps = {
  readonly change: Change;
  readonly fault: string | undefined;
  readonly onChange: (part: Partial<Change>) => void;
};

function ValueFields({ change: { value, to }, fault, onChange }: ValueFieldsProps) {
  const isTyped = value === 'text' || value === 'json';
  return (
    <>
      <Select
        aria-label="Kind of value"
        w={200}
        data={VALUE_OPTIONS}
        value={value}
        allowDeselect={false}
        onChange={next => onChange({ value: next as Value })}
      />
      {isTyped && (
        <TextInput
          aria-label="Value"
          placeholder="Value"
          flex="1 1 8rem"
          value={to}
          error={fault}
          {...PLAIN}
          onChange={({ currentTarget }) => onChange({ to: currentTarget.value })}
        />
      )}
    </>
  );
}
