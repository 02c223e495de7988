import { Stack, Text } from '@mantine/core';
import { Card } from '../../../pieces/Card.tsx';
import { Example } from './Example.tsx';
import { ReasonChoice } from './ReasonChoice.tsx';
import type { ReplayScope } from './replay-href.ts';
import type { ReplayableReason } from './replay-query.ts';
import { ScopeFacts } from './ScopeFacts.tsx';

type ReplayedEventsProps = {
  readonly scope: ReplayScope;
  readonly reasons: readonly ReplayableReason[];
  readonly onChoose: (codes: string[]) => void;
};

/** The events that the replay covers, and one of them as it was sent. */
export function ReplayedEvents({ scope, reasons, onChoose }: ReplayedEventsProps) {
  const { range, codes, group, hash } = scope;
  const isPart = group !== undefined || hash !== undefined;
  return (
    <Card title={titleOf(scope)}>
      <Stack gap="md">
        {isPart ? (
          <ScopeFacts scope={scope} />
        ) : (
          <ReasonChoice range={range} reasons={reasons} chosen={codes} onChange={onChoose} />
        )}
        <Example scope={scope} />
        <Text size="sm" c="dimmed">
          Each event keeps its received time and its SDK key. Events that were replayed before are
          not stored twice.
        </Text>
      </Stack>
    </Card>
  );
}

function titleOf({ group, hash }: ReplayScope): string {
  if (hash !== undefined) return 'One event';
  return group === undefined ? 'Events' : 'Events of one group';
}
