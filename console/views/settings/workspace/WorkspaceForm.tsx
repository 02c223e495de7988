import { Button, Group, NumberInput, Stack, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { graphql } from '../../../graph/graphql.ts';
import { NOT_BLANK } from '../../../pieces/not-blank.ts';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { inIntervalWords, type Workspace } from './workspace-query.ts';

const UPDATE = graphql(`
  mutation WorkspaceUpdate($input: WorkspaceUpdateInput!) {
    workspaceUpdate(input: $input) {
      workspace { id name inAppDailyMax inAppIntervalSecondsMin }
      userErrors { message field }
    }
  }
`);

/** The API's limits. */
const NAME_CHARACTERS_MAX = 100;
const DAILY_MAX = 10_000;
const INTERVAL_SECONDS_MAX = 30 * 24 * 3_600;
const SHOWN = ['name', 'inAppDailyMax', 'inAppIntervalSecondsMin'];

export function WorkspaceForm({ workspace }: { readonly workspace: Workspace }) {
  const [input, setInput] = useState({
    name: workspace.name,
    inAppDailyMax: workspace.inAppDailyMax,
    inAppIntervalSecondsMin: workspace.inAppIntervalSecondsMin,
  });
  const { run, isRunning, refusals } = useAction(UPDATE, {
    isFormShowing: true,
    done: 'The workspace was changed.',
  });
  const change = (part: Partial<typeof input>) => setInput({ ...input, ...part });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void run({ input: { ...input, name: input.name.trim() } });
  };
  const seconds = input.inAppIntervalSecondsMin;
  return (
    <Stack component="form" onSubmit={submit} maw={640}>
      <Refusals refusals={refusals} except={SHOWN} />
      <TextInput
        label="Name"
        required
        pattern={NOT_BLANK}
        maxLength={NAME_CHARACTERS_MAX}
        value={input.name}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        error={refusalAt(refusals, 'name')}
      />
      <Cap
        label="Impressions per person and day"
        description="Across all campaigns, in any 24 hours. Campaigns can be exempt."
        placeholder="No limit"
        max={DAILY_MAX}
        value={input.inAppDailyMax}
        onChange={inAppDailyMax => change({ inAppDailyMax })}
        error={refusalAt(refusals, 'inAppDailyMax')}
      />
      <Cap
        label="Seconds between two impressions"
        description={
          seconds === null || seconds < 120
            ? 'The minimum for one person.'
            : `The minimum for one person: ${inIntervalWords(seconds)}.`
        }
        placeholder="No minimum"
        max={INTERVAL_SECONDS_MAX}
        value={seconds}
        onChange={inAppIntervalSecondsMin => change({ inAppIntervalSecondsMin })}
        error={refusalAt(refusals, 'inAppIntervalSecondsMin')}
      />
      <Group>
        <Button type="submit" loading={isRunning}>
          Save
        </Button>
      </Group>
    </Stack>
  );
}

type CapProps = {
  readonly label: string;
  readonly description: string;
  readonly placeholder: string;
  readonly max: number;
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
  readonly error: string | undefined;
};

function Cap({ value, onChange, ...props }: CapProps) {
  return (
    <NumberInput
      {...props}
      min={1}
      allowDecimal={false}
      thousandSeparator
      value={value ?? ''}
      onChange={next => onChange(typeof next === 'number' ? next : null)}
    />
  );
}
