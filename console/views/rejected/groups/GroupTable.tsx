import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { inCount } from '../../../pieces/in-words.ts';
import { isFeedback, nameInWords } from '../../../pieces/sent-event/sent.ts';
import { type NamedCampaign, useCampaigns } from '../../../pieces/sent-event/use-campaigns.ts';
import { type Column, Table } from '../../../pieces/Table.tsx';
import { When } from '../../../pieces/When.tsx';
import type { useRejectedFilter } from '../use-rejected-filter.ts';
import type { Group } from './group-rows.ts';

type GroupTableProps = {
  readonly groups: readonly Group[];
  readonly filter: Pick<ReturnType<typeof useRejectedFilter>, 'code' | 'hrefOf'>;
};

export function GroupTable({ groups, filter }: GroupTableProps) {
  const campaigns = useCampaigns(groups.some(({ rows }) => isFeedback(rows[0]!.sent)));
  return (
    <Table
      label="Groups of rejected events"
      rows={groups}
      keyOf={({ code, event, key, sdk }) => JSON.stringify([code, event, key, sdk])}
      columns={[eventColumn(filter, campaigns), ...COLUMNS]}
    />
  );
}

function eventColumn(
  { code: chosen, hrefOf }: GroupTableProps['filter'],
  campaigns: ReadonlyMap<string, NamedCampaign>,
): Column<Group> {
  return {
    title: 'Event',
    cell: ({ code, event, key, sdk, rows }) => (
      <Stack gap={0} align="start">
        <Anchor
          component={Link}
          href={hrefOf({ code, event, key, sdk })}
          underline="hover"
          fw={600}
          size="sm"
        >
          {nameInWords(rows[0]!.sent, campaigns)}
        </Anchor>
        {chosen === undefined && (
          <Text size="xs" c="dimmed">
            {code}
          </Text>
        )}
      </Stack>
    ),
  };
}

const COLUMNS: readonly Column<Group>[] = [
  { title: 'SDK key', isWide: true, cell: ({ rows }) => rows[0]!.keyName ?? 'Unknown' },
  { title: 'SDK version', isWide: true, cell: ({ sdk }) => (sdk === '' ? 'Not sent' : sdk) },
  { title: 'Events', isNumber: true, cell: ({ rows }) => inCount(rows.length) },
  { title: 'Latest', cell: ({ rows }) => <When at={rows[0]!.sent.receivedAt} isRelative /> },
];
