import { Box, Button, Grid, Stack, Text } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { Card } from '../../pieces/Card.tsx';
import { inCount } from '../../pieces/in-words.ts';
import { Page } from '../../pieces/Page.tsx';
import { Problem } from '../../pieces/Problem.tsx';
import type { Sent } from '../../pieces/sent-event/sent.ts';
import { useMay } from '../../session/ViewerProvider.tsx';
import { ConnectionState } from './ConnectionState.tsx';
import { Filters } from './Filters.tsx';
import type { Live as LiveNow } from './gather-live.ts';
import { HealthCard } from './Health.tsx';
import { LiveList } from './LiveList.tsx';
import classes from './live.module.css';
import { NothingYet } from './NothingYet.tsx';
import { OpenedEvent } from './OpenedEvent.tsx';
import { SpoolsCard } from './Spools.tsx';
import { Traffic } from './Traffic.tsx';
import { isAsking, useFilter } from './use-filter.ts';
import { useLive } from './use-live.ts';
import { useMinutes } from './use-minutes.ts';

export default function Live() {
  const { filter, variables, change } = useFilter();
  const isPlatformAdmin = useMay('PLATFORM_ADMIN');
  const [isPaused, setIsPaused] = useState(false);
  const [opened, setOpened] = useState<Sent>();
  const { count, ...traffic } = useMinutes();
  const live = useLive({ variables, isPaused, onCounts: count });
  return (
    <Page
      title="Live"
      about="What your apps and sites send, within a second: what was accepted, and what was refused and why."
      actions={
        <>
          <ConnectionState connection={live.connection} isPaused={isPaused} />
          <PauseButton isPaused={isPaused} heldCount={live.heldCount} onChange={setIsPaused} />
        </>
      }
    >
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="lg">
            <Traffic {...traffic} />
            <Card isFlush>
              <Box p="lg" pb="md">
                <Filters filter={filter} onChange={change} />
              </Box>
              <Stream live={live} isFiltered={isAsking(filter)} onOpen={setOpened} />
            </Card>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="lg">
            <HealthCard newestAt={live.rows[0]?.sent.receivedAt} />
            {isPlatformAdmin && <SpoolsCard />}
          </Stack>
        </Grid.Col>
      </Grid>
      <OpenedEvent sent={opened} onClose={() => setOpened(undefined)} />
    </Page>
  );
}

type PauseButtonProps = {
  readonly isPaused: boolean;
  readonly heldCount: number;
  readonly onChange: (isPaused: boolean) => void;
};

function PauseButton({ isPaused, heldCount, onChange }: PauseButtonProps) {
  if (!isPaused)
    return (
      <Button
        variant="default"
        leftSection={<IconPlayerPause size={17} />}
        onClick={() => onChange(true)}
      >
        Pause
      </Button>
    );
  return (
    <Button leftSection={<IconPlayerPlay size={17} />} onClick={() => onChange(false)}>
      {heldCount === 0 ? 'Resume' : `Resume, ${inCount(heldCount)} new`}
    </Button>
  );
}

type StreamProps = {
  readonly live: LiveNow;
  readonly isFiltered: boolean;
  readonly onOpen: (sent: Sent) => void;
};

function Stream({ live, isFiltered, onOpen }: StreamProps) {
  const { rows, connection, notShownCount } = live;
  if (connection.state === 'refused')
    return (
      <Box p="lg" pt={0}>
        <Problem error={connection.error} />
      </Box>
    );
  if (rows.length === 0) return <NothingYet isFiltered={isFiltered} />;
  return (
    <>
      <LiveList rows={rows} onOpen={onOpen} />
      {notShownCount > 0 && (
        <Text className={classes.foot}>
          {inCount(notShownCount)} more came too quickly to be shown one by one. They are counted
          above, and kept.
        </Text>
      )}
    </>
  );
}
