import { Progress, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { memo, useMemo } from 'react';
import { useQuery } from 'urql';
import { graphql, type ResultOf } from '../../graph/graphql.ts';
import { Asked } from '../../pieces/Asked.tsx';
import { Card } from '../../pieces/Card.tsx';
import { inBytes, inCount, inDuration } from '../../pieces/in-words.ts';
import { isSlow } from '../../pieces/problem.ts';
import { type Delay, isLate, useDelay } from '../../pieces/use-delay.ts';
import { useLastError } from '../../pieces/use-last-error.ts';
import { useNow } from '../../pieces/use-now.ts';
import { When } from '../../pieces/When.tsx';
import { useMay } from '../../session/ViewerProvider.tsx';
import { Fact } from './Fact.tsx';
import { NotRead } from './NotRead.tsx';
import { RejectedReasons } from './RejectedReasons.tsx';
import { useRepeatSlow } from './repeat-slow.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Events are counted here once they are in the warehouse. */
const STORED_MS = 2_500;

const HEALTH = graphql(`
  query LiveHealth($range: ReportRange!) {
    ingestHealth(range: $range, bucket: HOUR) {
      newestReceivedAt
      caps {
        organizationMinute { cap used }
        keys { sdkKey { id name } minute { cap used } hour { cap used } }
      }
    }
    rejectedEventCodes(range: $range) { code count }
  }
`);

type Health = ResultOf<typeof HEALTH>;

type HealthCardProps = {
  /** The arrival of the newest event since the page was opened. */
  readonly newestAt: string | undefined;
  /** Another report of the page has failed, which “None” or “Up to date” would contradict. */
  readonly hasFailed: boolean;
};

/** The ingestion health: the last event, the reasons for rejections, the remaining caps. */
export const HealthCard = memo(function HealthCard({ newestAt, ...page }: HealthCardProps) {
  const nowMs = useNow();
  const [settledAt] = useDebouncedValue(newestAt, STORED_MS);
  const untilMs = Math.max(nowMs, settledAt === undefined ? 0 : Date.parse(settledAt));
  const range = useMemo(() => rangeUntil(untilMs), [untilMs]);
  const [asked, ask] = useQuery({ query: HEALTH, variables: { range } });
  const state = useLastError(asked);
  const { error, ...rest } = state;
  const isLong = isSlow(error);
  const retry = () => ask({ requestPolicy: 'network-only' });
  useRepeatSlow(error, retry);
  const [isOwner, isPlatformAdmin] = [useMay('OWNER'), useMay('PLATFORM_ADMIN')];
  const delay = useDelay();
  const hasFailed = page.hasFailed || error !== undefined;
  // While the warehouse is late, missing events can still arrive.
  const isCurrent = !hasFailed && delay?.isComplete === true && !isLate(delay);
  return (
    <Card title="Health">
      {error && isLong && <NotRead error={error} onRetry={retry} />}
      <Asked asked={[isLong ? rest : state, ask]} label="Loading health">
        {({ ingestHealth, rejectedEventCodes }) => (
          <Stack gap="lg">
            <Fact label="Last event">
              <When
                at={newestAt ?? ingestHealth?.newestReceivedAt}
                never={isCurrent ? 'None this week' : 'Unknown'}
                isRelative
              />
            </Fact>
            <Fact label="Reports">{hasFailed ? 'Unknown' : delayInWords(delay)}</Fact>
            <RejectedReasons
              reasons={rejectedEventCodes ?? []}
              none={rejectedEventCodes && isCurrent ? 'None' : 'Unknown'}
            />
            {(isOwner || isPlatformAdmin) && <QuarantineFact />}
            {ingestHealth && <Caps caps={ingestHealth.caps} />}
          </Stack>
        )}
      </Asked>
    </Card>
  );
});

function delayInWords(delay: Delay | undefined): string {
  if (delay === undefined || delay.seconds === null) return 'Delay unknown';
  if (isLate(delay)) return `${inDuration(delay.seconds)} late`;
  return delay.isComplete ? 'Up to date' : 'Delay unknown';
}

const QUARANTINE = graphql(`
  query LiveQuarantine {
    ingestHealth { quarantinedFiles quarantinedBytes quarantinedOldestAt }
  }
`);

/** Shown only if there are any or the number is unknown. */
function QuarantineFact() {
  const [{ data }] = useQuery({ query: QUARANTINE });
  const health = data?.ingestHealth;
  if (!health || health.quarantinedFiles === 0) return null;
  const { quarantinedFiles: files, quarantinedBytes: bytes, quarantinedOldestAt: at } = health;
  return (
    <Fact label="Quarantined files">
      {files === null ? (
        'Unknown'
      ) : (
        <>
          {files === 1 ? '1 file' : `${inCount(files)} files`}, {inBytes(bytes ?? 0)}, since{' '}
          <When at={at} />
        </>
      )}
    </Fact>
  );
}

type Usage = { readonly cap: number; readonly used: number } | null;

function Caps({ caps }: { readonly caps: NonNullable<Health['ingestHealth']>['caps'] }) {
  const used = [
    { name: 'All keys, this minute', usage: caps.organizationMinute },
    ...caps.keys.flatMap(({ sdkKey, minute, hour }) => [
      { name: `${sdkKey?.name ?? 'Unknown key'}, this minute`, usage: minute },
      { name: `${sdkKey?.name ?? 'Unknown key'}, this hour`, usage: hour },
    ]),
  ].filter((one): one is { name: string; usage: NonNullable<Usage> } => one.usage !== null);
  if (used.length === 0) return <Fact label="Caps">None</Fact>;
  return (
    <Stack gap="sm">
      {used.map(({ name, usage }) => (
        <Cap key={name} name={name} usage={usage} />
      ))}
    </Stack>
  );
}

const NEARLY_FULL = 0.8;

function Cap({ name, usage }: { readonly name: string; readonly usage: NonNullable<Usage> }) {
  const share = usage.used / usage.cap;
  return (
    <div>
      <Fact label={name}>
        {inCount(Math.ceil(usage.used))} of {inCount(usage.cap)}
      </Fact>
      <Progress
        mt={4}
        value={Math.min(100, share * 100)}
        color={share >= NEARLY_FULL ? 'orange.7' : 'brand'}
        aria-label={`${name}: used`}
      />
    </div>
  );
}

/** Up to the next minute, so that events that arrive during the query are included. */
function rangeUntil(nowMs: number) {
  return {
    from: new Date(nowMs - HOUR_MS).toISOString(),
    to: new Date(nowMs + MINUTE_MS).toISOString(),
  };
}
