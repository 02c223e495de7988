import { Anchor, Box, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { inCount } from '../../../pieces/in-words.ts';
import { isFeedback } from '../../../pieces/sent-event/sent.ts';
import { type NamedCampaign, useCampaigns } from '../../../pieces/sent-event/use-campaigns.ts';
import { type Column, Table } from '../../../pieces/Table.tsx';
import { When } from '../../../pieces/When.tsx';
import { groupName } from '../group-name.ts';
import { sentenceOf } from '../ReasonWords.tsx';
import type { Group } from '../rejected-query.ts';
import { LastReplay } from '../replay/LastReplay.tsx';
import type { useRejectedFilter } from '../use-rejected-filter.ts';
import { type ListState, useSteadyOrder } from './use-steady-order.ts';

type GroupTableProps = ListState & {
  readonly groups: readonly Group[];
  readonly filter: Pick<ReturnType<typeof useRejectedFilter>, 'code' | 'hrefOf'>;
};

export function GroupTable({ groups, filter, ...state }: GroupTableProps) {
  const rows = useSteadyOrder(groups, keyOf, state);
  const campaigns = useCampaigns(groups.some(isFeedback));
  return (
    <Table
      label="Groups of rejected events"
      rows={rows}
      keyOf={keyOf}
      columns={[eventColumn(filter, campaigns), ...COLUMNS]}
    />
  );
}

function keyOf({ code, key }: Group): string {
  return `${code} ${key}`;
}

function eventColumn(
  { code: chosen, hrefOf }: GroupTableProps['filter'],
  campaigns: ReadonlyMap<string, NamedCampaign>,
): Column<Group> {
  return {
    title: 'Event',
    cell: group => (
      <Stack gap={0} align="start">
        <Anchor
          component={Link}
          href={hrefOf({ code: group.code, group: group.key })}
          data-group={keyOf(group)}
          underline="hover"
          fw={600}
          size="sm"
          truncate
          display="block"
          maw="min(22rem, 32vw)"
          title={groupName(group, campaigns)}
        >
          {groupName(group, campaigns)}
        </Anchor>
        <Text component="div" size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {chosen === undefined && <div>{group.code}</div>}
          {sentenceOf(group.messages)}
        </Text>
      </Stack>
    ),
  };
}

/** Wide enough for every text, so that the columns stay in place while the time goes on. */
const TIME_WIDTH = '6.75rem';

const COLUMNS: readonly Column<Group>[] = [
  {
    title: 'SDK key',
    isWide: true,
    cell: ({ sdkKey }) => (
      <Text size="sm" truncate maw="12rem" title={sdkKey?.name}>
        {sdkKey?.name ?? 'Unknown'}
      </Text>
    ),
  },
  {
    title: 'SDK version',
    isWide: true,
    cell: ({ sdk }) => (
      <Text size="sm" truncate maw="14rem" title={sdk ?? undefined}>
        {sdk ?? 'Not sent'}
      </Text>
    ),
  },
  { title: 'Events', isNumber: true, cell: ({ count }) => inCount(count) },
  {
    title: 'Latest',
    cell: ({ lastSeenAt }) => (
      <Box miw={TIME_WIDTH}>
        <When at={lastSeenAt} isRelative />
      </Box>
    ),
  },
  { title: 'Last replay', isWide: true, cell: group => <LastReplay group={group} /> },
];
