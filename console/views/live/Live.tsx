import { Box, Grid, Stack } from '@mantine/core';
import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import { Card } from '../../pieces/Card.tsx';
import { Page } from '../../pieces/Page.tsx';
import { nameInWords, type Sent } from '../../pieces/sent-event/sent.ts';
import { useCampaigns } from '../../pieces/sent-event/use-campaigns.ts';
import { useMay } from '../../session/ViewerProvider.tsx';
import { Filters } from './Filters.tsx';
import { HealthCard } from './Health.tsx';
import { LiveActions } from './LiveActions.tsx';
import { SpoolsCard } from './Spools.tsx';
import { Stream } from './Stream.tsx';
import { matcherOf } from './sent-filter.ts';
import { Traffic } from './Traffic.tsx';
import { isAsking, useFilter } from './use-filter.ts';
import { useLive } from './use-live.ts';
import { useMinute } from './use-minute.ts';
import { useMinutes } from './use-minutes.ts';

const OpenedEvent = lazy(() => import('./OpenedEvent.tsx'));

/** `2026-01-01T00:00:00`: enough to show how long ago, and it changes once a second at most. */
const SECOND_LENGTH = 19;

export default function Live() {
  const { filter, change } = useFilter();
  const [isPaused, setIsPaused] = useState(false);
  const [isAtList, setIsAtList] = useState(false);
  /** Undefined until an event is first opened, null once it is closed. */
  const [opened, setOpened] = useState<Sent | null>();
  const { count, ...traffic } = useMinutes();
  const campaigns = useCampaigns(true);
  const isWanted = useMemo(
    () => matcherOf(filter, sent => nameInWords(sent, campaigns)),
    [filter, campaigns],
  );
  const isHeld = isPaused || isAtList || Boolean(opened);
  const live = useLive({ filter, isWanted, isHeld, onCounts: count });
  const minute = useMinute(filter, isWanted);
  const failure = traffic.error ?? (minute ?? live).error;
  const showMinute = useCallback(
    (startMs: number) => change({ minute: new Date(startMs).toISOString() }),
    [change],
  );
  return (
    <Page
      title="Live"
      about="Events as they arrive, accepted or rejected, with the reason."
      actions={
        <LiveActions
          live={live}
          isPaused={isPaused}
          isStill={isAtList && !isPaused && minute === undefined}
          onPaused={setIsPaused}
        />
      }
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, xl: 8 }}>
          <Stack gap="lg">
            <Traffic {...traffic} onMinute={showMinute} />
            <Card isFlush>
              <Box p="lg" pb="md">
                <Filters filter={filter} minutes={traffic.minutes} onChange={change} />
              </Box>
              <Stream
                live={live}
                minute={minute}
                campaigns={campaigns}
                isFiltered={isAsking(filter)}
                onOpen={setOpened}
                onHeld={setIsAtList}
              />
            </Card>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, xl: 4 }}>
          <Condition newest={live.rows[0]?.sent} hasFailed={failure !== undefined} />
        </Grid.Col>
      </Grid>
      <Suspense>
        {opened !== undefined && <OpenedEvent sent={opened} onClose={() => setOpened(null)} />}
      </Suspense>
    </Page>
  );
}

type ConditionProps = {
  readonly newest: Sent | undefined;
  /** Another report of the page has failed. */
  readonly hasFailed: boolean;
};

/** How ingest is doing. */
function Condition({ newest, hasFailed }: ConditionProps) {
  const isPlatformAdmin = useMay('PLATFORM_ADMIN');
  return (
    <Stack gap="lg">
      <HealthCard newestAt={secondOf(newest)} hasFailed={hasFailed} />
      {isPlatformAdmin && <SpoolsCard />}
    </Stack>
  );
}

function secondOf(sent: Sent | undefined): string | undefined {
  return sent && `${sent.receivedAt.slice(0, SECOND_LENGTH)}Z`;
}
