import { Progress, Stack, Text } from '@mantine/core';
import { useQuery } from 'urql';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Facts } from '../../../pieces/Facts.tsx';
import { inCount, inExactMoment } from '../../../pieces/in-words.ts';
import { Page } from '../../../pieces/Page.tsx';
import { State } from '../../../pieces/State.tsx';
import { useRepeat } from '../../../pieces/use-repeat.ts';
import { When } from '../../../pieces/When.tsx';
import { REJECTED } from '../rejected-paths.ts';
import { changeInWords, changesOf } from './change.ts';
import { ReportCard } from './ReportCard.tsx';
import { REPLAY_BY_ID, type Replay } from './replay-query.ts';
import { progressMs, REPLAY_STATES } from './replay-states.ts';
import { StoredEvents } from './StoredEvents.tsx';

/** One replay: its progress, then its result. */
export default function ReplayPage({ id }: { readonly id: string }) {
  const asked = useQuery({ query: REPLAY_BY_ID, variables: { id } });
  const [{ data }, ask] = asked;
  const node = data?.node;
  const replay = node?.__typename === 'RejectedEventsReplay' ? node : undefined;
  useRepeat(ask, progressMs(replay === undefined ? [] : [replay]));
  return (
    <Page title="Replay" back={{ href: REJECTED.replays, label: 'Replays' }}>
      <Asked asked={asked} label="Loading the replay">
        {() =>
          replay === undefined ? (
            <Card>
              <Empty title="Replay not found" />
            </Card>
          ) : (
            <Shown replay={replay} />
          )
        }
      </Asked>
    </Page>
  );
}

function Shown({ replay }: { readonly replay: Replay }) {
  const { state, codes, since, until, createdAt, finishedAt, actorId, report } = replay;
  const changes = changesOf(replay.correction);
  return (
    <Stack gap="lg">
      <Card>
        <Stack gap="md">
          <Facts
            facts={[
              [
                'State',
                <span key="state" role="status">
                  <State name={state} {...REPLAY_STATES[state]} />
                </span>,
              ],
              ['Events', scopeInWords(replay)],
              ['Reasons', codes.join(', ')],
              ['Received from', inExactMoment(since)],
              ['Until', until && inExactMoment(until)],
              ['Corrections', changes.map(changeInWords).join('; ') || 'None'],
              [
                'Requested by',
                <span key="by" className="mono">
                  {actorId}
                </span>,
              ],
              ['Requested', <When key="at" at={createdAt} />],
              ['Finished', finishedAt && <When at={finishedAt} />],
            ]}
          />
          {report && finishedAt === null && <Tried report={report} />}
          {state === 'FAILED' && (
            <Text size="sm">
              You can safely replay the same events again: no event is stored twice.
            </Text>
          )}
        </Stack>
      </Card>
      {report && <ReportCard title="Result" report={report} />}
      {finishedAt !== null && report !== null && report.accepted > 0 && (
        <StoredEvents replay={replay} />
      )}
    </Stack>
  );
}

function scopeInWords({ group, hash }: Replay): string {
  if (hash !== null) return 'One event';
  return group === null ? 'All of the reasons' : 'One group';
}

function Tried({ report: { tried, found } }: { readonly report: NonNullable<Replay['report']> }) {
  return (
    <div role="status">
      <Progress
        value={found === 0 ? 0 : (tried / found) * 100}
        aria-label={`Tried ${inCount(tried)} of ${inCount(found)} events`}
      />
      <Text size="sm" c="dimmed" mt={4}>
        {inCount(tried)} of {inCount(found)} events
      </Text>
    </div>
  );
}
