import { Group, Text, ThemeIcon, Timeline } from '@mantine/core';
import { IconClockHour4 } from '@tabler/icons-react';
import { Card } from '../../../pieces/Card.tsx';
import { inCount, inDay, inRelationAlone } from '../../../pieces/in-words.ts';
import { Money } from '../../../pieces/Money.tsx';
import { useNow } from '../../../pieces/use-now.ts';
import type { WalletData } from './wallet-query.ts';

/** The time of day at which the job releases credits. */
const RELEASED_AT = 'T02:00:00Z';

type ReleaseTimelineProps = { readonly schedule: WalletData['pendingSchedule'] };

export function ReleaseTimeline({ schedule }: ReleaseTimelineProps) {
  const nowMs = useNow();
  const { releases, totalPending } = schedule;
  return (
    <Card
      title="Held credits"
      actions={
        releases.length > 0 && (
          <Text size="sm" c="dimmed">
            <Money of={totalPending} fw={600} /> in total
          </Text>
        )
      }
    >
      {releases.length === 0 ? (
        <Text size="sm" c="dimmed">
          No held credits. Credits are held until the referral’s payment can no longer be refunded;
          their release dates appear here.
        </Text>
      ) : (
        <Timeline bulletSize={28} lineWidth={2} active={-1}>
          {releases.map(({ releaseDate, total, transactionCount }) => (
            <Timeline.Item
              key={releaseDate}
              bullet={
                <ThemeIcon size={28} radius="xl" variant="default">
                  <IconClockHour4 size={16} aria-hidden />
                </ThemeIcon>
              }
            >
              <Group justify="space-between" gap="xs" align="baseline">
                <Text size="sm" fw={600}>
                  <time dateTime={releaseDate}>{inDay(releaseDate)}</time>
                </Text>
                <Money of={total} fw={600} size="sm" />
              </Group>
              <Text size="sm" c="dimmed">
                {inRelationAlone(`${releaseDate}${RELEASED_AT}`, nowMs)}, from{' '}
                {transactionCount === 1 ? '1 payment' : `${inCount(transactionCount)} payments`}
              </Text>
            </Timeline.Item>
          ))}
        </Timeline>
      )}
    </Card>
  );
}
