import { Box, Button, Stack } from '@mantine/core';
import { IconRefresh, IconSend } from '@tabler/icons-react';
import { Link } from 'wouter';
import { Card } from '../../../pieces/Card.tsx';
import { RangeFilter } from '../../../pieces/range/RangeFilter.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { RejectedPage } from '../RejectedPage.tsx';
import { LIMITS } from '../range.ts';
import { replayHref } from '../replay/replay-href.ts';
import { useRejectedFilter } from '../use-rejected-filter.ts';
import { Newest } from './Newest.tsx';
import { Reasons } from './Reasons.tsx';

/** The rejected events of a time range: the number by reason, and groups of the newest. */
export function Groups() {
  const filter = useRejectedFilter();
  const { chosen, range, code, change, refresh } = filter;
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
            <RangeFilter
              chosen={chosen}
              limits={LIMITS}
              range={range}
              onChange={({ name, from, to }) =>
                change({
                  range: name ?? undefined,
                  from: from ?? undefined,
                  to: to ?? undefined,
                })
              }
            />
          </Box>
          {range && <Reasons range={range} filter={filter} />}
        </Card>
        {range && <Newest range={range} filter={filter} />}
      </Stack>
    </RejectedPage>
  );
}
