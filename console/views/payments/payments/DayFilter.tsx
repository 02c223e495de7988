import { Button, Popover, Stack, TextInput } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { inDay } from '../../../pieces/in-words.ts';
import type { Chosen } from './use-payment-filter.ts';

type DayFilterProps = {
  readonly chosen: Chosen;
  readonly onChoose: (name: 'from' | 'to', value: string) => void;
};

/** One stop of the Tab key, where two date fields have four each. */
export function DayFilter({ chosen: { from, to }, onChoose }: DayFilterProps) {
  return (
    <Popover trapFocus returnFocus position="bottom-end" withinPortal>
      <Popover.Target>
        <Button variant="default" size="xs" fw={400} leftSection={<IconCalendar size={15} />}>
          {inDays(from, to)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <TextInput
            type="date"
            label="From"
            size="xs"
            value={from}
            max={to}
            onChange={({ currentTarget }) => onChoose('from', currentTarget.value)}
          />
          <TextInput
            type="date"
            label="To"
            size="xs"
            value={to}
            min={from}
            onChange={({ currentTarget }) => onChoose('to', currentTarget.value)}
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function inDays(from: string, to: string): string {
  if (from === '') return to === '' ? 'Any day' : `Until ${inDay(to)}`;
  return to === '' ? `From ${inDay(from)}` : `${inDay(from)} to ${inDay(to)}`;
}
