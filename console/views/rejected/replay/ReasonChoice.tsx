import { Checkbox, Stack } from '@mantine/core';
import { Facts } from '../../../pieces/Facts.tsx';
import { inCount, inExactMoment } from '../../../pieces/in-words.ts';
import type { Range } from '../../../pieces/range/range.ts';
import { sentenceOf } from '../ReasonWords.tsx';
import type { ReplayableReason } from './replay-query.ts';

type ReasonChoiceProps = {
  readonly range: Range;
  readonly reasons: readonly ReplayableReason[];
  readonly chosen: readonly string[];
  readonly onChange: (codes: string[]) => void;
};

/** The events to replay: a time range, and the reasons in it. */
export function ReasonChoice({ range, reasons, chosen, onChange }: ReasonChoiceProps) {
  return (
    <Stack gap="md">
      <Facts
        facts={[
          ['Received from', inExactMoment(range.from)],
          ['Until', inExactMoment(range.to)],
        ]}
      />
      <Checkbox.Group label="Reasons" value={[...chosen]} onChange={onChange}>
        <Stack gap="xs" mt="xs">
          {reasons.map(({ code, count, messages }) => (
            <Checkbox
              key={code}
              value={code}
              label={`${code}, ${count === 1 ? '1 event' : `${inCount(count)} events`}`}
              description={sentenceOf(messages)}
            />
          ))}
        </Stack>
      </Checkbox.Group>
    </Stack>
  );
}
