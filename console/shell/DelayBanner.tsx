import { Anchor, Box, Group, Popover, Text } from '@mantine/core';
import { IconClockExclamation, IconHelp } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { inClock, inDuration } from '../pieces/in-words.ts';
import { type Delay, isLate, LATE_SECONDS, useDelay } from '../pieces/use-delay.ts';

const ASK_INTERVAL_MS = 15_000;
const LINE_PX = 26;

/** Above views of events, whose line is there at any time, so that the page does not move under the pointer. */
export function DelayBanner() {
  return (
    <Box h={LINE_PX} mt={-14} mb={2} maw={1280} mx="auto">
      <DelayState />
    </Box>
  );
}

/** The delay, or that it is unknown. */
function DelayState() {
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
    <Group h="100%" gap={6} wrap="nowrap">
      <Icon size={16} aria-hidden style={{ flexShrink: 0 }} />
      <Text size="sm" fw={600} role="status" truncate>
        {title}
      </Text>
      <Popover width={320} position="bottom-start" withArrow shadow="md">
        <Popover.Target>
          <Anchor component="button" type="button" size="sm" style={{ flexShrink: 0 }}>
            Details
          </Anchor>
        </Popover.Target>
        <Popover.Dropdown>
          <Text size="sm">{children}</Text>
        </Popover.Dropdown>
      </Popover>
    </Group>
  );
}
