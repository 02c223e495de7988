import { Button, Radio, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type SubmitEvent, useState } from 'react';
import { graphql } from '../../../graph/graphql.ts';
import { inCount } from '../../../pieces/in-words.ts';
import { Refusals } from '../../../pieces/Refusals.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import type { Endpoint } from '../endpoint-query.ts';

const REPLAY = graphql(`
  mutation WebhookEndpointReplay($id: ID!, $input: WebhookEndpointReplayInput!) {
    webhookEndpointReplay(id: $id, input: $input) { count isByJob userErrors { message field } }
  }
`);

type ReplayFormProps = { readonly endpoint: Endpoint; readonly onDone: () => void };

/** Replays missed deliveries, or all deliveries of a period for a receiver that lost them. */
export function ReplayForm({ endpoint, onDone }: ReplayFormProps) {
  const [what, setWhat] = useState<'missed' | 'all'>('missed');
  const [since, setSince] = useState('');
  const { run, isRunning, refusals } = useAction(REPLAY, { isFormShowing: true });
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const input = {
      includeDelivered: what === 'all',
      // The format of the field: the viewer's time without a zone.
      since: since === '' ? null : new Date(since).toISOString(),
    };
    const done = (await run({ id: endpoint.id, input }))?.webhookEndpointReplay;
    if (done === undefined || done === null) return;
    notifications.show({ message: toldOf(done.count ?? 0) });
    onDone();
  };
  return (
    <Stack component="form" onSubmit={event => void submit(event)}>
      <Refusals refusals={refusals} />
      <Radio.Group
        label="Events"
        value={what}
        onChange={value => setWhat(value === 'all' ? 'all' : 'missed')}
      >
        <Stack gap="xs" mt={6}>
          <Radio
            value="missed"
            label="Missed events only"
            description="Deliveries that failed, or were not sent while the endpoint was disabled."
          />
          <Radio
            value="all"
            label="All events, including delivered ones"
            description="For a receiver that lost events. They are sent with the same IDs."
          />
        </Stack>
      </Radio.Group>
      <TextInput
        type="datetime-local"
        label="Since"
        description={
          what === 'all'
            ? undefined
            : 'Leave empty for everything that is still kept: up to 30 days.'
        }
        required={what === 'all'}
        value={since}
        onChange={({ currentTarget }) => setSince(currentTarget.value)}
      />
      <Button type="submit" loading={isRunning}>
        Resend
      </Button>
    </Stack>
  );
}

function toldOf(count: number): string {
  if (count === 0) return 'No deliveries to resend.';
  return `${inCount(count)} ${count === 1 ? 'webhook' : 'webhooks'} queued for resend.`;
}
