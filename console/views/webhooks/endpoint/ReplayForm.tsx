import { Button, Radio, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type SubmitEvent, useState } from 'react';
import { useQuery } from 'urql';
import { Refusals } from '../../../pieces/Refusals.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import type { Endpoint } from '../endpoint-query.ts';
import { toldOf } from '../resent-words.ts';
import { REPLAY, REPLAY_COUNT } from './replay-query.ts';
import { momentOf, nowInField } from './since.ts';

type ReplayFormProps = { readonly endpoint: Endpoint; readonly onDone: () => void };

/** Replays undelivered events, or all events of a period for a receiver that lost them. */
export function ReplayForm({ endpoint, onDone }: ReplayFormProps) {
  const [includeDelivered, setIncludeDelivered] = useState(false);
  const [typed, setTyped] = useState('');
  const [max] = useState(nowInField);
  const { run, isRunning, refusals } = useAction(REPLAY, {
    isFormShowing: true,
    changes: ['WebhookDelivery'],
  });
  const since = momentOf(typed);
  const count = useReplayCount(endpoint.id, { since, includeDelivered });
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (since === undefined) return;
    const done = (await run({ id: endpoint.id, input: { includeDelivered, since } }))
      ?.webhookEndpointReplay;
    if (done === undefined || done === null) return;
    notifications.show({ message: toldOf(done.count ?? 0) });
    onDone();
  };
  return (
    <Stack component="form" onSubmit={event => void submit(event)}>
      <Refusals refusals={refusals} />
      <EventsChoice value={includeDelivered} onChange={setIncludeDelivered} />
      <TextInput
        type="datetime-local"
        label="Since"
        description={
          includeDelivered
            ? undefined
            : 'Leave empty for everything that is still kept: up to 30 days.'
        }
        required={includeDelivered}
        max={max}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        error={since === undefined && 'Enter a date and time in the past.'}
      />
      {since !== undefined && (since !== null || !includeDelivered) && <WouldSend count={count} />}
      <Button type="submit" loading={isRunning} disabled={count === 0}>
        Resend
      </Button>
    </Stack>
  );
}

type EventsChoiceProps = {
  readonly value: boolean;
  readonly onChange: (includeDelivered: boolean) => void;
};

function EventsChoice({ value, onChange }: EventsChoiceProps) {
  return (
    <Radio.Group
      label="Events"
      value={value ? 'all' : 'undelivered'}
      onChange={next => onChange(next === 'all')}
    >
      <Stack gap="xs" mt={6}>
        <Radio
          value="undelivered"
          label="Undelivered events only"
          description="Deliveries that failed, wait for a retry, or were not sent while the endpoint was disabled."
        />
        <Radio
          value="all"
          label="All events, including delivered ones"
          description="For a receiver that lost events. They are sent with the same IDs."
        />
      </Stack>
    </Radio.Group>
  );
}

type WouldSendProps = { readonly count: Counted };

function WouldSend({ count }: WouldSendProps) {
  return (
    <Text size="sm" role="status">
      {count === 'counting' ? 'Counting deliveries …' : wouldSendOf(count)}
    </Text>
  );
}

function wouldSendOf(count: number | undefined): string {
  return count === undefined ? 'The number of deliveries is unknown.' : toldOf(count);
}

/** Undefined if it is not known. */
type Counted = number | 'counting' | undefined;

/** The number of deliveries that a request would resend now. */
function useReplayCount(
  id: string,
  range: { readonly since: string | null | undefined; readonly includeDelivered: boolean },
): Counted {
  const { since, includeDelivered } = range;
  const isIncomplete = since === undefined || (since === null && includeDelivered);
  const [{ data, fetching, error }] = useQuery({
    query: REPLAY_COUNT,
    variables: { id, since: since ?? null, includeDelivered },
    requestPolicy: 'network-only',
    pause: isIncomplete,
  });
  // A query that is paused keeps the data of other variables.
  if (isIncomplete) return undefined;
  if (fetching) return 'counting';
  return !error && data?.node && 'replayCount' in data.node ? data.node.replayCount : undefined;
}
