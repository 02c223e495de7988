import { Button, Group, NumberInput, Stack, Text } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { useQuery } from 'urql';
import { graphql, type ResultOf } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { Facts } from '../../../pieces/Facts.tsx';
import { inCount } from '../../../pieces/in-words.ts';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';

const SETTINGS = graphql(`
  query ApprovalSettings {
    templateApprovalSettings { emailHours messagingAppHours smsBusinessDays }
  }
`);

const UPDATE = graphql(`
  mutation ApprovalSettingsUpdate($input: TemplateApprovalSettingsUpdateInput!) {
    templateApprovalSettingsUpdate(input: $input) {
      settings { emailHours messagingAppHours smsBusinessDays }
      userErrors { message field }
    }
  }
`);

type Deadlines = ResultOf<typeof SETTINGS>['templateApprovalSettings'];

/** The API's limits. */
const HOURS_MAX = 720;
const BUSINESS_DAYS_MAX = 30;

const FIELDS = [
  { name: 'emailHours', label: 'Email', unit: 'hours', max: HOURS_MAX },
  { name: 'messagingAppHours', label: 'Messaging app', unit: 'hours', max: HOURS_MAX },
  { name: 'smsBusinessDays', label: 'SMS', unit: 'business days', max: BUSINESS_DAYS_MAX },
] as const;

/** How long an approval of a template may take before an alert is raised. */
export default function Approvals() {
  const asked = useQuery({ query: SETTINGS });
  const isOwner = useMay('OWNER');
  return (
    <Card title="Approval deadlines">
      <Stack>
        <Text size="sm" c="dimmed">
          An alert is raised when a template’s approval takes longer than this. Changes apply to
          later submissions.
        </Text>
        <Asked asked={asked} label="Loading deadlines">
          {({ templateApprovalSettings: deadlines }) =>
            isOwner ? (
              <DeadlinesForm deadlines={deadlines} />
            ) : (
              <DeadlineFacts deadlines={deadlines} />
            )
          }
        </Asked>
      </Stack>
    </Card>
  );
}

function DeadlineFacts({ deadlines }: { readonly deadlines: Deadlines }) {
  return (
    <Facts
      facts={FIELDS.map(({ name, label, unit }) => [label, `${inCount(deadlines[name])} ${unit}`])}
    />
  );
}

function DeadlinesForm({ deadlines }: { readonly deadlines: Deadlines }) {
  const [input, setInput] = useState<Record<keyof Deadlines, number | string>>({ ...deadlines });
  const { run, isRunning, refusals } = useAction(UPDATE, {
    isFormShowing: true,
    done: 'The deadlines were changed.',
    changes: ['TemplateApprovalSettings'],
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const { emailHours, messagingAppHours, smsBusinessDays } = input;
    void run({
      input: {
        emailHours: Number(emailHours),
        messagingAppHours: Number(messagingAppHours),
        smsBusinessDays: Number(smsBusinessDays),
      },
    });
  };
  return (
    <Stack component="form" onSubmit={submit} maw={420}>
      <Refusals refusals={refusals} except={FIELDS.map(({ name }) => name)} />
      {FIELDS.map(({ name, label, unit, max }) => (
        <NumberInput
          key={name}
          label={label}
          description={`In ${unit}, from 1 to ${max}.`}
          required
          min={1}
          max={max}
          allowDecimal={false}
          value={input[name]}
          onChange={value => setInput({ ...input, [name]: value })}
          error={refusalAt(refusals, name)}
        />
      ))}
      <Group>
        <Button type="submit" loading={isRunning}>
          Save
        </Button>
      </Group>
    </Stack>
  );
}
