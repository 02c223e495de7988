import { Button, Group, NumberInput, Stack, Text } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { useQuery } from 'urql';
import { graphql } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { inCount } from '../../../pieces/in-words.ts';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { useAction } from '../../../pieces/use-action.tsx';

const SETTINGS = graphql(`
  query PrivacySettings { privacySettings { lateDays } }
`);

const UPDATE = graphql(`
  mutation PrivacySettingsUpdate($input: PrivacySettingsUpdateInput!) {
    privacySettingsUpdate(input: $input) { settings { lateDays } userErrors { message field } }
  }
`);

/** The API's limit: ten years. */
const LATE_DAYS_MAX = 3_650;

/** Devices that were offline can send events of an erased person later. */
export function LateDays({ isOwner }: { readonly isOwner: boolean }) {
  const asked = useQuery({ query: SETTINGS });
  return (
    <Card title="Late data">
      <Stack>
        <Text size="sm" c="dimmed">
          After an erasure, events of the same person can still arrive from devices that were
          offline. A check deletes them about 45 minutes after the erasure, and then once a day.
        </Text>
        <Asked asked={asked} label="Loading the settings">
          {({ privacySettings: { lateDays } }) =>
            isOwner ? (
              <LateDaysForm lateDays={lateDays} />
            ) : (
              <Text size="sm">For {inCount(lateDays)} days after the erasure.</Text>
            )
          }
        </Asked>
      </Stack>
    </Card>
  );
}

function LateDaysForm({ lateDays }: { readonly lateDays: number }) {
  const [days, setDays] = useState<number | string>(lateDays);
  const { run, isRunning, refusals } = useAction(UPDATE, {
    isFormShowing: true,
    done: 'The setting was changed.',
    changes: ['PrivacySettings'],
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void run({ input: { lateDays: Number(days) } });
  };
  return (
    <Stack component="form" onSubmit={submit} maw={420}>
      <Refusals refusals={refusals} except={['lateDays']} />
      <NumberInput
        label="Days after an erasure"
        description="With 0, data that arrives after the first check is kept. Changes apply to later erasures."
        required
        min={0}
        max={LATE_DAYS_MAX}
        allowDecimal={false}
        value={days}
        onChange={setDays}
        error={refusalAt(refusals, 'lateDays')}
      />
      <Group>
        <Button type="submit" loading={isRunning}>
          Save
        </Button>
      </Group>
    </Stack>
  );
}
