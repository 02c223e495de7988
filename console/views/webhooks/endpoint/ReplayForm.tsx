import { Button, Radio, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type SubmitEvent, useState } from 'react';
import { graphql } from '../../../graph/graphql.ts';
import { inCount } from '../../../pieces/in-words.ts';
import { Refusals } from '../../../pieces/Refusals.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import type { Endpoint } from './endpoint-query.ts';

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
        label="What"
        value={what}
        onChange={value => setWhat(value === 'all' ? 'all' : 'missed')}
      >
        <Stack gap="xs" mt={6}>
          <Radio
            value="missed"
            label="What it did not get"
            description="What was given up, or not sent while it was disabled."
          />
          <Radio
            value="all"
            label="Everything, also what it took"
            description="For a receiver that lost it. It comes under the same ids."
          />
        </Stack>
      </Radio.Group>
      <TextInput
        type="datetime-local"
        label="Since"
        description={
          what === 'all' ? undefined : 'Left empty, all that is still kept: up to 30 days.'
        }
        required={what === 'all'}
        value={since}
        onChange={({ currentTarget }) => setSince(currentTarget.value)}
      />
      <Button type="submit" loading={isRunning}>
        Send again
      </Button>
    </Stack>
  );
}

function toldOf(count: number): string {
  if (count === 0) return 'There is nothing to send again.';
  return `${inCount(count)} ${count === 1 ? 'webhook is' : 'webhooks are'} on the way again.`;
}
