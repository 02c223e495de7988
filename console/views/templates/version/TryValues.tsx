import { Anchor, Button, Collapse, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { type SubmitEvent, useId, useState } from 'react';
import type { Variable } from '../version-query.ts';

type TryValuesProps = {
  readonly variables: readonly Variable[];
  /** Tried now; undefined where the samples are shown. */
  readonly values: Readonly<Record<string, string>> | undefined;
  readonly onValues: (values: Readonly<Record<string, string>> | undefined) => void;
};

/** A preview with other values than the samples, for example without a name. */
export function TryValues({ variables, values, onValues }: TryValuesProps) {
  const [isOpen, { toggle }] = useDisclosure(values !== undefined);
  const formId = useId();
  if (variables.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No values: everyone receives the same message.
      </Text>
    );
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={isOpen ? <IconChevronDown size={16} /> : <IconChevronRight size={16} />}
          onClick={toggle}
          aria-expanded={isOpen}
          aria-controls={formId}
        >
          Try other values
        </Button>
        <Text size="xs" c="dimmed">
          {values === undefined ? 'Using sample values.' : 'Using your values.'}
        </Text>
      </Group>
      <Collapse expanded={isOpen} id={formId}>
        <Values variables={variables} values={values} onValues={onValues} />
      </Collapse>
    </Stack>
  );
}

function Values({ variables, values, onValues }: TryValuesProps) {
  const [given, setGiven] = useState<Readonly<Record<string, string>>>(
    () => values ?? Object.fromEntries(variables.map(({ name, sample }) => [name, sample])),
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onValues(given);
  };
  return (
    <Stack component="form" gap="sm" onSubmit={submit}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        {variables.map(({ name, isRequired, fallback }) => (
          <TextInput
            key={name}
            label={<span className="mono">{name}</span>}
            description={isRequired ? 'Required.' : `Default: “${fallback ?? ''}”.`}
            value={given[name] ?? ''}
            onChange={({ currentTarget }) => setGiven({ ...given, [name]: currentTarget.value })}
          />
        ))}
      </SimpleGrid>
      <Group gap="md">
        <Button type="submit" size="xs" variant="default">
          Update preview
        </Button>
        {values !== undefined && (
          <Anchor component="button" type="button" size="sm" onClick={() => onValues(undefined)}>
            Reset to sample values
          </Anchor>
        )}
      </Group>
    </Stack>
  );
}
