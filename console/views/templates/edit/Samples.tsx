import { Input, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import type { Variable } from '../version-query.ts';

type SamplesProps = {
  readonly variables: readonly Variable[];
  readonly samples: Readonly<Record<string, string>>;
  readonly onChange: (samples: Readonly<Record<string, string>>) => void;
  readonly error: string | undefined;
};

/** The sample values that reviewers and previews show instead of people's values. */
export function Samples({ variables, samples, onChange, error }: SamplesProps) {
  if (variables.length === 0) return null;
  return (
    <Stack gap={6}>
      <Text size="sm" fw={600}>
        Sample values
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        {variables.map(({ name, sample, isRequired }) => (
          <TextInput
            key={name}
            size="sm"
            label={<span className="mono">{name}</span>}
            description={isRequired ? undefined : 'Has a default.'}
            value={samples[name] ?? sample}
            onChange={({ currentTarget }) => onChange({ ...samples, [name]: currentTarget.value })}
          />
        ))}
      </SimpleGrid>
      {error !== undefined && <Input.Error>{error}</Input.Error>}
    </Stack>
  );
}
