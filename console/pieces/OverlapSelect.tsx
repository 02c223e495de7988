import { Select } from '@mantine/core';
import { useNow } from './use-now.ts';
import { When } from './When.tsx';

type OverlapSelectProps = {
  readonly of: 'key' | 'secret';
  readonly seconds: number;
  readonly onChange: (seconds: number) => void;
};

/** The API allows up to 30 days. */
const OVERLAPS = [
  { value: '0', label: 'Immediately' },
  { value: '3600', label: 'In 1 hour' },
  { value: '86400', label: 'In 1 day' },
  { value: '259200', label: 'In 3 days' },
  { value: '604800', label: 'In 1 week' },
  { value: '2592000', label: 'In 30 days' },
];

/** How long an old key or secret works after its rotation, and until when that is. */
export function OverlapSelect({ of, seconds, onChange }: OverlapSelectProps) {
  const nowMs = useNow();
  const until = new Date(nowMs + seconds * 1_000).toISOString();
  return (
    <Select
      label={`Old ${of} expires`}
      description={
        seconds > 0 && (
          <>
            The old {of} works until <When at={until} />.
          </>
        )
      }
      inputWrapperOrder={['label', 'input', 'description']}
      data={OVERLAPS}
      value={String(seconds)}
      allowDeselect={false}
      // Unless a field before it has the focus; in a confirmation, its first button would have it.
      data-autofocus
      onChange={value => onChange(Number(value))}
    />
  );
}
