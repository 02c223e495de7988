import { Radio, Stack } from '@mantine/core';
import { ACCEPTS, type Accepts } from './accepts-words.ts';

type AcceptsChoiceProps = {
  readonly value: Accepts;
  readonly onChange: (value: Accepts) => void;
  readonly error: string | undefined;
};

export function AcceptsChoice({ value, onChange, error }: AcceptsChoiceProps) {
  return (
    <Radio.Group
      label="Accepts"
      description="Changes apply within a second, including to apps that already use the key."
      value={value}
      onChange={next => onChange(next as Accepts)}
      error={error}
    >
      <Stack gap="sm" mt="xs">
        {Object.entries(ACCEPTS).map(([accepts, { label, meaning }]) => (
          <Radio key={accepts} value={accepts} label={label} description={meaning} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
