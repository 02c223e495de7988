import { Box, Grid, Stack, Text } from '@mantine/core';
import { useCallback, useMemo, useState } from 'react';
import { Card } from '../../pieces/Card.tsx';
import { inCount } from '../../pieces/in-words.ts';
import { Page } from '../../pieces/Page.tsx';
import { nameInWords, type Sent } from '../../pieces/sent-event/sent.ts';
import { useCampaigns } from '../../pieces/sent-event/use-campaigns.ts';
import { useMay } from '../../session/ViewerProvider.tsx';
import { ConnectionState } from './ConnectionState.tsx';
import { Filters } from './Filters.tsx';
import { HealthCard } from './Health.tsx';
import { MinuteChoice } from './MinuteChoice.tsx';
import { OpenedEvent } from './OpenedEvent.tsx';
import { PauseButton } from './PauseButton.tsx';
import { SpoolsCard } from './Spools.tsx';
import { Stream } from './Stream.tsx';
import { matcherOf } from './sent-filter.ts';
import { Traffic } from './Traffic.tsx';
import { isAsking, useFilter } from './use-filter.ts';
import { useLive } from './use-live.ts';
import { useMinute } from './use-minute.ts';
import { useMinutes } from './use-minutes.ts';

/** `2026-01-01T00:00:00`: enough to show how long ago, and it changes once a second at most. */
const SECOND_LENGTH = 19;

export default function Live() {
  const { filter, change } = useFilter();
  const isPlatformAdmin = useMay('PLATFORM_ADMIN');
  const [isPaused, setIsPaused] = useState(false);
  const [isAtList, setIsAtList] = useState(false);
  const [opened, setOpened] = useState<Sent>();
  const { count, ...traffic } = useMinutes();
  const campaigns = useCampaigns(true);
  const isWanted = useMemo(
    () => matcherOf(filter, sent => nameInWords(sent, campaigns)),
    [filter, campaigns],
  );
  const isHeld = isPaused || isAtList || opened !== undefined;
  const live = useLive({ filter, isWanted, isHeld, onCounts: count });
  const minute = useMinute(filter, isWanted);
  const isStill = isAtList && !isPaused && minute === undefined;
  const showMinute = useCallback(
    (startMs: number) => change({ minute: new Date(startMs).toISOString() }),
    [change],
  );
  const { minutes } = traffic;
  // Elements that stay the same are not drawn again with each event.
  const filters = useMemo(
    () => (
      <Filters filter={filter} onChange={change}>
        <MinuteChoice minutes={minutes} minute={filter.minute} onChange={change} />
      </Filters>
    ),
    [filter, change, minutes],
  );
  return (
    <Page
      title="Live"
      about="Events from your apps and sites as they arrive, accepted or rejected, with the reason."
      actions={
        <>
          {isStill && live.heldCount > 0 && (
            <Text size="sm" c="dimmed">
              {inCount(live.heldCount)} new
            </Text>
          )}
          <ConnectionState connection={live.connection} isPaused={isPaused || isStill} />
          <PauseButton isPaused={isPaused} heldCount={live.heldCount} onChange={setIsPaused} />
        </>
      }
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, xl: 8 }}>
          <Stack gap="lg">
            <Traffic {...traffic} onMinute={showMinute} />
            <Card isFlush>
              <Box p="lg" pb="md">
                {filters}
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
          <Stack gap="lg">
            <HealthCard newestAt={secondOf(live.rows[0]?.sent)} />
            {isPlatformAdmin && <SpoolsCard />}
          </Stack>
        </Grid.Col>
      </Grid>
      <OpenedEvent sent={opened} onClose={() => setOpened(undefined)} />
    </Page>
  );
}

function secondOf(sent: Sent | undefined): string | undefined {
  return sent && `${sent.receivedAt.slice(0, SECOND_LENGTH)}Z`;
}
