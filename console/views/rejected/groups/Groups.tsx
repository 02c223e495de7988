import { Box, Button, Stack } from '@mantine/core';
import { IconRefresh, IconSend } from '@tabler/icons-react';
import { Link } from 'wouter';
import { Card } from '../../../pieces/Card.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { RejectedPage } from '../RejectedPage.tsx';
import { replayHref } from '../replay/replay-href.ts';
import { useRejectedFilter } from '../use-rejected-filter.ts';
import { Newest } from './Newest.tsx';
import { RangeFilter } from './RangeFilter.tsx';
import { Reasons } from './Reasons.tsx';

/** The rejected events of a time range: the number by reason, and groups of the newest. */
export function Groups() {
  const filter = useRejectedFilter();
  const { params, range, code, change, refresh } = filter;
  const isOwner = useMay('OWNER');
  return (
    <RejectedPage
      actions={
        <>
          <Button variant="default" leftSection={<IconRefresh size={17} />} onClick={refresh}>
            Refresh
          </Button>
          {isOwner && range && (
            <Button
              component={Link}
              href={replayHref(range, code === undefined ? [] : [code])}
              leftSection={<IconSend size={17} />}
            >
              Replay
            </Button>
          )}
        </>
      }
    >
      <Stack gap="lg">
        <Card isFlush>
          <Box p="lg">
            <RangeFilter params={params} range={range} onChange={change} />
          </Box>
          {range && <Reasons range={range} filter={filter} />}
        </Card>
        {range && <Newest range={range} filter={filter} />}
      </Stack>
    </RejectedPage>
  );
}
