import { Button, Stack } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useQuery } from 'urql';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Facts } from '../../../pieces/Facts.tsx';
import { inCount, inPlainWords } from '../../../pieces/in-words.ts';
import { JsonText } from '../../../pieces/json/JsonText.tsx';
import { Page } from '../../../pieces/Page.tsx';
import { State } from '../../../pieces/State.tsx';
import { useRepeat } from '../../../pieces/use-repeat.ts';
import { When } from '../../../pieces/When.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { PAYMENTS } from '../payment-paths.ts';
import { Effects } from './Effects.tsx';
import { EVENT_STATES, REPLAYABLE } from './event-states.ts';
import { EVENT, type GatewayEvent } from './events-query.ts';
import { useReplay } from './use-replay.ts';

const LOOK_EVERY_MS = 1_000;

export default function EventPage({ id }: { readonly id: string }) {
  const asked = useQuery({ query: EVENT, variables: { id } });
  const [{ data }, ask] = asked;
  const event = data?.gatewayEvent ?? undefined;
  useRepeat(ask, event?.state === 'RECEIVED' ? LOOK_EVERY_MS : undefined);
  const isAdmin = useMay('PLATFORM_ADMIN');
  const back = isAdmin
    ? { href: PAYMENTS.everybody, label: 'Everybody’s events' }
    : { href: PAYMENTS.events, label: 'Events' };
  return (
    <Page
      title={event?.type ?? 'Event'}
      back={back}
      actions={isAdmin && event && REPLAYABLE.has(event.state) && <ReplayButton event={event} />}
    >
      <Asked asked={asked} label="Reading the event">
        {() =>
          event === undefined ? (
            <Card>
              <Empty title="There is no such event" />
            </Card>
          ) : (
            <Opened event={event} />
          )
        }
      </Asked>
    </Page>
  );
}

function Opened({ event }: { readonly event: GatewayEvent }) {
  const { state, error, attempts, family, eventAt, receivedAt, processedAt, body } = event;
  return (
    <Stack gap="lg">
      <Card>
        <Facts
          facts={[
            ['State', <State key="state" name={state} {...EVENT_STATES[state]} />],
            ['What it means', EVENT_STATES[state].about],
            ['Why', error],
            ['About', inPlainWords(family)],
            ['Failed tries', attempts === 0 ? null : inCount(attempts)],
            ['Next try', event.nextAttemptAt && <When at={event.nextAttemptAt} isRelative />],
            ['Happened', eventAt && <When at={eventAt} />],
            ['Came', <When key="came" at={receivedAt} />],
            ['Dealt with', processedAt && <When at={processedAt} />],
          ]}
        />
      </Card>
      <Effects event={event} />
      <Card title="What was sent">
        {body === null ? (
          <Empty title="It is no JSON">Nobody could read it.</Empty>
        ) : (
          <JsonText text={body} label="Body" />
        )}
      </Card>
    </Stack>
  );
}

function ReplayButton({ event }: { readonly event: GatewayEvent }) {
  const { replay, isRunning } = useReplay(event);
  return (
    <Button leftSection={<IconRefresh size={17} />} loading={isRunning} onClick={replay}>
      Try again
    </Button>
  );
}
