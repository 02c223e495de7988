import { Box, Group, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCalendarOff,
  IconCircleCheck,
  IconCircleX,
  IconClockHour4,
  IconLock,
} from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';
import { useNow } from '../../../pieces/use-now.ts';
import { When } from '../../../pieces/When.tsx';
import type { Deal } from './deals-query.ts';

/** From then on a deadline asks for attention. */
const SOON_MS = 3 * 24 * 60 * 60 * 1000;

type Clocked = Pick<Deal, 'status' | 'statusReason' | 'proofDueAt' | 'lockedUntil' | 'closedAt'>;

/** The relevant time of a deal: the deadline if it is open, otherwise its end. */
export function DealClock({ deal }: { readonly deal: Clocked }) {
  const { status, statusReason, proofDueAt, lockedUntil, closedAt } = deal;
  switch (status) {
    case 'REGISTERED':
      return <Deadline at={proofDueAt} before="Proof due" after="Proof overdue since" />;
    case 'PROOF_SUBMITTED':
      return <Deadline at={lockedUntil} before="Exclusive until" after="Exclusivity ended" />;
    case 'WON':
      return (
        <Line icon={IconCircleCheck}>
          <When at={closedAt} isRelative />
        </Line>
      );
    case 'EXPIRED':
      return (
        <Line icon={IconCalendarOff}>
          {EXPIRED[statusReason ?? ''] ?? 'Expired'} <When at={closedAt} isInSentence />
        </Line>
      );
    case 'LOST':
    case 'WITHDRAWN':
      return (
        <Line icon={IconCircleX}>
          {statusReason ?? 'Withdrawn'} · <When at={closedAt} isInSentence />
        </Line>
      );
  }
}

const EXPIRED: Readonly<Record<string, string>> = {
  PROOF_NOT_SUBMITTED: 'No proof in time ·',
  EXCLUSIVITY_ENDED: 'Exclusivity ended ·',
};

type DeadlineProps = { readonly at: string; readonly before: string; readonly after: string };

function Deadline({ at, before, after }: DeadlineProps) {
  const nowMs = useNow();
  const leftMs = new Date(at).getTime() - nowMs;
  if (leftMs < 0)
    return (
      <Line icon={IconAlertTriangle} color="var(--mantine-color-error)">
        {after} <When at={at} isDated />
      </Line>
    );
  if (leftMs < SOON_MS)
    return (
      <Line icon={IconAlertTriangle} color="light-dark(#8a4b00, #ffc46b)">
        {before} <When at={at} isDated />
      </Line>
    );
  return (
    <Line icon={before === 'Proof due' ? IconClockHour4 : IconLock}>
      {before} <When at={at} isDated />
    </Line>
  );
}

type LineProps = {
  readonly icon: ComponentType<{ size?: number; stroke?: number }>;
  readonly color?: string;
  readonly children: ReactNode;
};

function Line({ icon: Icon, color, children }: LineProps) {
  return (
    <Group gap={5} wrap="nowrap" align="flex-start" mt={4} c={color ?? 'dimmed'}>
      <Box mt={2} style={{ flex: 'none' }} lh={0} aria-hidden>
        <Icon size={14} stroke={1.8} />
      </Box>
      <Text size="xs" component="div" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </Group>
  );
}
