import { Button, Stack, Textarea, TextInput } from '@mantine/core';
import { modals } from '@mantine/modals';
import { type SubmitEvent, useState } from 'react';
import { graphql } from '../../../graph/graphql.ts';
import { Refusals, refusalAt } from '../../../pieces/Refusals.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import type { PlatformEarning } from './earnings-query.ts';

const RESCHEDULE = graphql(`
  mutation PartnerReviewReschedule($id: ID!, $input: CreditRescheduleInput!) {
    creditReschedule(id: $id, input: $input) {
      earning { id releaseDate }
      userErrors { message field }
    }
  }
`);

type RescheduleProps = { readonly earning: PlatformEarning };

/** A held credit may be released on another day. */
export function Reschedule({ earning }: RescheduleProps) {
  if (earning.status !== 'PENDING') return null;
  const open = () => {
    const modalId = modals.open({
      title: `Credit of ${earning.organizationName}`,
      children: <RescheduleForm earning={earning} onDone={() => modals.close(modalId)} />,
    });
  };
  return (
    <Button size="xs" variant="default" onClick={open}>
      Reschedule
    </Button>
  );
}

function RescheduleForm({ earning, onDone }: RescheduleProps & { readonly onDone: () => void }) {
  const [releaseDate, setReleaseDate] = useState(earning.releaseDate ?? '');
  const [reason, setReason] = useState('');
  const { run, isRunning, refusals } = useAction(RESCHEDULE, {
    isFormShowing: true,
    done: 'Release rescheduled.',
  });
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (await run({ id: earning.id, input: { releaseDate, reason } })) onDone();
  };
  return (
    <Stack component="form" onSubmit={event => void submit(event)}>
      <Refusals refusals={refusals} except={['releaseDate', 'reason']} />
      <TextInput
        type="date"
        label="Release date"
        description="In UTC. Credits with a past or current date are released with the next run."
        required
        value={releaseDate}
        onChange={({ currentTarget }) => setReleaseDate(currentTarget.value)}
        error={refusalAt(refusals, 'releaseDate')}
      />
      <Textarea
        label="Reason"
        description="For the audit log."
        required
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        error={refusalAt(refusals, 'reason')}
      />
      <Button
        type="submit"
        loading={isRunning}
        disabled={releaseDate === '' || reason.trim() === ''}
      >
        Reschedule
      </Button>
    </Stack>
  );
}
