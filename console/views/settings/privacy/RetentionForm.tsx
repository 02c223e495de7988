import { Button, NumberInput, Select, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type SubmitEvent, useState } from 'react';
import { useQuery } from 'urql';
import { Asked } from '../../../pieces/Asked.tsx';
import { inCount, inDay } from '../../../pieces/in-words.ts';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { DATASETS, type Dataset, RULE_PREVIEW, RULE_SET, type Rule } from './retention-query.ts';

type RetentionFormProps = {
  /** Undefined for a new one. */
  readonly rule: Rule | undefined;
  readonly onDone: () => void;
};

/** The API's limit: ten years. */
const KEEP_DAYS_MAX = 3_650;
const KEEP_DAYS_DEFAULT = 365;
const TYPING_MS = 500;

/** Shows what the rule would delete while it is chosen. */
export function RetentionForm({ rule, onDone }: RetentionFormProps) {
  const [dataset, setDataset] = useState<Dataset>(rule?.dataset ?? 'EVENTS');
  const [days, setDays] = useState<number | string>(rule?.keepDays ?? KEEP_DAYS_DEFAULT);
  const { run, isRunning, refusals } = useAction(RULE_SET, {
    isFormShowing: true,
    done: 'The rule was saved.',
  });
  const keepDays = Number(days);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (await run({ input: { dataset, keepDays } })) onDone();
  };
  return (
    <Stack component="form" onSubmit={event => void submit(event)}>
      <Refusals refusals={refusals} except={['keepDays']} />
      {rule === undefined && (
        <Select
          label="Data"
          data={Object.entries(DATASETS).map(([value, label]) => ({ value, label }))}
          allowDeselect={false}
          value={dataset}
          onChange={value => setDataset((value ?? dataset) as Dataset)}
        />
      )}
      <NumberInput
        label="Days to keep"
        required
        min={1}
        max={KEEP_DAYS_MAX}
        allowDecimal={false}
        value={days}
        onChange={setDays}
        error={refusalAt(refusals, 'keepDays')}
      />
      {keepDays >= 1 && keepDays <= KEEP_DAYS_MAX && (
        <Preview dataset={dataset} keepDays={keepDays} />
      )}
      <Button type="submit" color="red.9" loading={isRunning}>
        {rule === undefined ? 'Create rule' : 'Save'}
      </Button>
    </Stack>
  );
}

type PreviewProps = { readonly dataset: Dataset; readonly keepDays: number };

function Preview(chosen: PreviewProps) {
  const [variables] = useDebouncedValue(chosen, TYPING_MS);
  const asked = useQuery({ query: RULE_PREVIEW, variables });
  return (
    <Asked asked={asked} label="Counting rows">
      {({ retentionPreview }) =>
        retentionPreview && (
          <Text size="sm" role="status">
            {inWords(retentionPreview)}
          </Text>
        )
      }
    </Asked>
  );
}

type Previewed = {
  readonly rows: number;
  readonly firstDay: string | null;
  readonly lastDay: string | null;
};

function inWords({ rows, firstDay, lastDay }: Previewed): string {
  if (rows === 0 || firstDay === null || lastDay === null)
    return 'No rows are old enough to be deleted now.';
  const days = firstDay === lastDay ? inDay(firstDay) : `${inDay(firstDay)} to ${inDay(lastDay)}`;
  const counted = rows === 1 ? '1 row' : `${inCount(rows)} rows`;
  return `Now, ${counted} would be deleted: ${days}. The rule deletes nothing during its first day.`;
}
