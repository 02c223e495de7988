import { Box, Button, Stack } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { Card } from '../../../pieces/Card.tsx';
import { RangeFilter } from '../../../pieces/range/RangeFilter.tsx';
import { useMay } from '../../../session/ViewerProvider.tsx';
import { RejectedPage } from '../RejectedPage.tsx';
import { LIMITS } from '../range.ts';
import { useRejectedFilter } from '../use-rejected-filter.ts';
import type { Visit } from '../use-visit.ts';
import { GroupCard } from './GroupCard.tsx';
import { GroupsReplay } from './GroupsReplay.tsx';
import { Reasons } from './Reasons.tsx';

/** The rejected events of a time range: the number by reason, and groups. */
export function Groups({ visit }: { readonly visit: Visit }) {
  const filter = useRejectedFilter(visit);
  const { chosen, range, change, refresh } = filter;
  const isOwner = useMay('OWNER');
  // Its card has the button.
  const isGroupOpen = filter.group !== undefined && filter.code !== undefined;
  return (
    <RejectedPage
      actions={
        <>
          <Button variant="default" leftSection={<IconRefresh size={17} />} onClick={refresh}>
            Refresh
          </Button>
          {isOwner && range && !isGroupOpen && <GroupsReplay range={range} filter={filter} />}
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
        {range && <GroupCard range={range} filter={filter} />}
      </Stack>
    </RejectedPage>
  );
}
