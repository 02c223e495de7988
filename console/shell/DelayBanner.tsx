import { Alert, Text } from '@mantine/core';
import { IconClockExclamation, IconHelp } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { inClock, inDuration } from '../pieces/in-words.ts';
import { type Delay, isLate, LATE_SECONDS, useDelay } from '../pieces/use-delay.ts';

const ASK_INTERVAL_MS = 15_000;

/** Shown above views of events: the delay, or that it is unknown. */
export function DelayBanner() {
  const delay = useDelay(ASK_INTERVAL_MS);
  // A node that is restarted is silent for a moment, which need not worry anybody.
  const isUnknown = useLasting(delay !== undefined && isSilent(delay), LATE_SECONDS * 1_000);
  if (delay === undefined) return null;
  if (isLate(delay)) return <Late delay={delay} />;
  return isUnknown ? <Unknown delay={delay} /> : null;
}

/** Without configured nodes, no node is missing. */
function isSilent({ nodes, nodesAnswering }: Delay): boolean {
  return nodesAnswering < nodes;
}

function useLasting(isSo: boolean, ms: number): boolean {
  const [hasLasted, setHasLasted] = useState(false);
  useEffect(() => {
    if (!isSo) return undefined;
    const timer = setTimeout(() => setHasLasted(true), ms);
    return () => {
      clearTimeout(timer);
      setHasLasted(false);
    };
  }, [isSo, ms]);
  return isSo && hasLasted;
}

function Late({ delay }: { readonly delay: Delay }) {
  const { seconds, completeUntil } = delay;
  const atLeast = isSilent(delay) ? 'at least ' : '';
  return (
    <Banner
      Icon={IconClockExclamation}
      title={`Data is ${atLeast}${inDuration(seconds ?? 0)} late`}
    >
      No events are lost: they are accepted and stored on disk. Counts, charts and lists include
      them once they reach the data warehouse.
      {completeUntil !== null && ` Reports are complete up to ${inClock(completeUntil)}.`}
      {isSilent(delay) && ` ${silentNodes(delay)}`}
    </Banner>
  );
}

function Unknown({ delay }: { readonly delay: Delay }) {
  return (
    <Banner Icon={IconHelp} title="Data delay unknown">
      {silentNodes(delay)} Accepted events are stored on disk, but may be missing from reports.
    </Banner>
  );
}

function silentNodes({ nodes, nodesAnswering }: Delay): string {
  if (nodes === 1) return 'The ingest server is not responding.';
  const silent = nodes - nodesAnswering;
  return `${silent} of ${nodes} ingest servers ${silent === 1 ? 'is' : 'are'} not responding.`;
}

type BannerProps = {
  readonly Icon: typeof IconHelp;
  readonly title: string;
  readonly children: ReactNode;
};

function Banner({ Icon, title, children }: BannerProps) {
  return (
    <Alert
      role="status"
      color="yellow"
      variant="outline"
      icon={<Icon />}
      title={title}
      maw={1280}
      mx="auto"
      mb="lg"
    >
      <Text size="sm">{children}</Text>
    </Alert>
  );
}
