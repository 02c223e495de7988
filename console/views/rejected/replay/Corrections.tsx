import { Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { Card } from '../../../pieces/Card.tsx';
import { ChangeFields } from './ChangeFields.tsx';
import { CHANGES_MAX, type Change, NEW_CHANGE, offerInWords } from './change.ts';

type CorrectionsProps = {
  readonly changes: readonly Change[];
  /** Those that the form does not have yet. */
  readonly offers: readonly Change[];
  readonly showsFaults: boolean;
  readonly onChange: (changes: Change[]) => void;
};

export function Corrections({ changes, offers, showsFaults, onChange }: CorrectionsProps) {
  const add = (change: Change) => onChange([...changes, change]);
  const box = useRowFocus(changes.length);
  return (
    <Card title="Corrections">
      <Stack gap="md" ref={box}>
        <Text size="sm" c="dimmed">
          Applied to each event in this order: rename, remove, set, set if missing. Without
          corrections, the events are sent unchanged.
        </Text>
        {changes.map((change, at) => (
          <ChangeFields
            key={at}
            number={at + 1}
            change={change}
            showsFaults={showsFaults}
            onChange={next => onChange(changes.with(at, next))}
            onRemove={() => onChange(changes.toSpliced(at, 1))}
          />
        ))}
        <Group gap="xs">
          <Button
            variant="default"
            size="xs"
            data-add
            leftSection={<IconPlus size={15} />}
            disabled={changes.length >= CHANGES_MAX}
            onClick={() => add(NEW_CHANGE)}
          >
            Add a correction
          </Button>
          {offers.map(change => (
            <Button key={change.path} variant="light" size="xs" onClick={() => add(change)}>
              {offerInWords(change)}
            </Button>
          ))}
        </Group>
      </Stack>
    </Card>
  );
}

/** Focus moves to a new row; after a row was removed, to the button that adds one. */
function useRowFocus(count: number) {
  const box = useRef<HTMLDivElement>(null);
  const last = useRef(count);
  useEffect(() => {
    const before = last.current;
    last.current = count;
    const rows = box.current?.querySelectorAll('fieldset');
    const added = rows?.item(count - 1)?.querySelector('input');
    const button = box.current?.querySelector<HTMLElement>('[data-add]');
    if (count !== before) (count > before ? added : button)?.focus();
  }, [count]);
  return box;
}
