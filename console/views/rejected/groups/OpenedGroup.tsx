import { Anchor, Box, Text } from '@mantine/core';
import { IconChevronLeft } from '@tabler/icons-react';
import { Link } from 'wouter';
import { Empty } from '../../../pieces/Empty.tsx';
import { Facts } from '../../../pieces/Facts.tsx';
import { inExactMoment, inMoment } from '../../../pieces/in-words.ts';
import { rejectedEventHref } from '../../../pieces/sent-event/rejected-event-href.ts';
import { isFeedback, nameInWords } from '../../../pieces/sent-event/sent.ts';
import { useCampaigns } from '../../../pieces/sent-event/use-campaigns.ts';
import { type Column, Table } from '../../../pieces/Table.tsx';
import { UserLink } from '../../../pieces/UserLink.tsx';
import type { RejectedRow } from '../rejected-query.ts';
import { GROUP_FIELDS, type useRejectedFilter } from '../use-rejected-filter.ts';
import type { Group } from './group-rows.ts';

type OpenedGroupProps = {
  readonly groups: readonly Group[];
  readonly filter: Pick<ReturnType<typeof useRejectedFilter>, 'params' | 'code' | 'hrefOf'>;
};

/** The events of one group. Each has a page of its own. */
export function OpenedGroup({ groups, filter }: OpenedGroupProps) {
  const { params, code, hrefOf } = filter;
  const isAsked = (group: Group) =>
    group.code === code && GROUP_FIELDS.every(field => group[field] === params.get(field));
  const group = groups.find(isAsked);
  return (
    <>
      <Box px="lg" pb="sm">
        <Anchor
          component={Link}
          href={hrefOf({ event: undefined, key: undefined, sdk: undefined })}
          size="sm"
          underline="hover"
        >
          <IconChevronLeft size={14} style={{ verticalAlign: -2 }} aria-hidden /> All groups
        </Anchor>
      </Box>
      {group === undefined ? (
        <Empty title="No events in this group">They may be older than the loaded events.</Empty>
      ) : (
        <Shown group={group} params={params} />
      )}
    </>
  );
}

function Shown({ group, params }: { readonly group: Group; readonly params: URLSearchParams }) {
  const { code, sdk, rows } = group;
  const { sent, keyName } = rows[0]!;
  const campaigns = useCampaigns(isFeedback(sent));
  return (
    <>
      <Box px="lg" pb="md">
        <Facts
          facts={[
            ['Event', nameInWords(sent, campaigns)],
            ['Reason', code],
            ['SDK key', keyName ?? 'Unknown'],
            ['SDK version', sdk === '' ? 'Not sent' : sdk],
          ]}
        />
      </Box>
      <Table
        label="Events of the group"
        rows={rows}
        keyOf={row => String(rows.indexOf(row))}
        columns={[receivedColumn(params), ...COLUMNS]}
      />
    </>
  );
}

function receivedColumn(params: URLSearchParams): Column<RejectedRow> {
  return {
    title: 'Received',
    cell: ({ sent }) => (
      <Anchor
        component={Link}
        href={rejectedEventHref(sent, params)}
        underline="hover"
        fw={600}
        size="sm"
        title={inExactMoment(sent.receivedAt)}
      >
        {inMoment(sent.receivedAt)}
      </Anchor>
    ),
  };
}

const COLUMNS: readonly Column<RejectedRow>[] = [
  {
    title: 'User ID',
    cell: ({ sent: { userId, anonymousId } }) =>
      userId === null ? (
        <Text size="sm" c="dimmed" className="mono">
          {anonymousId ?? 'Anonymous'}
        </Text>
      ) : (
        <UserLink userId={userId} />
      ),
  },
  {
    title: 'Message',
    isWide: true,
    cell: ({ sent }) => sent.refusal.message,
  },
];
