import { Button, Radio, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type SubmitEvent, type SyntheticEvent, useState } from 'react';
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
  const [since, setSince] = useState<string | null | undefined>(null);
  const [max] = useState(nowInField);
  const { run, isRunning, refusals } = useAction(REPLAY, {
    isFormShowing: true,
    changes: ['WebhookDelivery'],
  });
  const count = useReplayCount(endpoint.id, { since, includeDelivered });
  // A date without a time has no value and is no change, so it is noticed when the field is left.
  const read = ({ currentTarget: { value, validity } }: SyntheticEvent<HTMLInputElement>) =>
    setSince(validity.badInput ? undefined : momentOf(value));
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
            ? 'Deliveries are kept for 30 days.'
            : 'Leave empty for everything that is still kept: up to 30 days.'
        }
        required={includeDelivered}
        max={max}
        onChange={read}
        onBlur={read}
        onInvalid={read}
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
      label="Deliveries"
      description="Tests are not resent: send a new test instead."
      value={value ? 'all' : 'undelivered'}
      onChange={next => onChange(next === 'all')}
    >
      <Stack gap="xs" mt={6}>
        <Radio
          value="undelivered"
          label="Undelivered only"
          description="Those that failed, wait for a retry, or were not sent while the endpoint was disabled."
        />
        <Radio
          value="all"
          label="All, including delivered ones"
          description="Also those that this endpoint has received, for a receiver that lost events. The webhook IDs stay the same."
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
