import { Anchor, Group, Popover, Text } from '@mantine/core';
import { IconClockExclamation, IconHelp } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { inClock, inDuration } from '../pieces/in-words.ts';
import { type Delay, isLate, LATE_SECONDS, useDelay } from '../pieces/use-delay.ts';

const ASK_INTERVAL_MS = 15_000;
const LINE_PX = 26;

/** Above views of events, whose line is there at any time, so that the page does not move under the pointer. */
export function DelayBanner() {
  const state = useDelayState();
  return (
    <Group h={LINE_PX} mt={-14} mb={2} maw={1280} mx="auto" gap={6} wrap="nowrap">
      {/* Also there at any time: what is inserted together with its text is not announced. */}
      <Group role="status" gap={6} wrap="nowrap" miw={0}>
        {state && (
          <>
            <state.Icon size={16} aria-hidden style={{ flexShrink: 0 }} />
            <Text size="sm" fw={600} truncate>
              {state.title}
            </Text>
          </>
        )}
      </Group>
      {state && <Details>{state.details}</Details>}
    </Group>
  );
}

type DelayState = {
  readonly Icon: typeof IconHelp;
  readonly title: string;
  readonly details: string;
};

/** The delay, or that it is unknown. */
function useDelayState(): DelayState | undefined {
  const delay = useDelay(ASK_INTERVAL_MS);
  // A node that is restarted is silent for a moment, which need not worry anybody.
  const isUnknown = useLasting(delay !== undefined && isSilent(delay), LATE_SECONDS * 1_000);
  if (delay === undefined) return undefined;
  if (isLate(delay)) return lateState(delay);
  return isUnknown ? unknownState(delay) : undefined;
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

function lateState(delay: Delay): DelayState {
  const { seconds, completeUntil } = delay;
  const atLeast = isSilent(delay) ? 'at least ' : '';
  const details = [
    'No events are lost: they are accepted and stored on disk. Counts, charts and lists include them once they reach the data warehouse.',
    completeUntil !== null && `Reports are complete up to ${inClock(completeUntil)}.`,
    isSilent(delay) && silentNodes(delay),
  ];
  return {
    Icon: IconClockExclamation,
    title: `Data is ${atLeast}${inDuration(seconds ?? 0)} late`,
    details: details.filter(part => part !== false).join(' '),
  };
}

function unknownState(delay: Delay): DelayState {
  return {
    Icon: IconHelp,
    title: 'Data delay unknown',
    details: `${silentNodes(delay)} Accepted events are stored on disk, but may be missing from reports.`,
  };
}

function silentNodes({ nodes, nodesAnswering }: Delay): string {
  if (nodes === 1) return 'The ingest server is not responding.';
  const silent = nodes - nodesAnswering;
  return `${silent} of ${nodes} ingest servers ${silent === 1 ? 'is' : 'are'} not responding.`;
}

function Details({ children }: { readonly children: string }) {
  return (
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
  );
}
