import { Stack, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from 'urql';
import { graphql, type ResultOf } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { inPlainWords } from '../../../pieces/in-words.ts';
import { MoreButton } from '../../../pieces/MoreButton.tsx';
import { type Column, Table } from '../../../pieces/Table.tsx';
import { usePages } from '../../../pieces/use-pages.ts';
import { When } from '../../../pieces/When.tsx';
import { StatusSelect } from './StatusSelect.tsx';

const AUDIT = graphql(`
  query PartnerReviewChanges($subjectType: String!, $after: String) {
    platformAuditEntries(first: 30, subjectType: $subjectType, after: $after) {
      nodes { id action actorId before after createdAt requestId }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

type Entry = ResultOf<typeof AUDIT>['platformAuditEntries']['nodes'][number];

/** The subject types of the program in the audit log. */
const SUBJECTS = [
  { value: 'payout', label: 'Payouts' },
  { value: 'kyc_submission', label: 'Identities' },
  { value: 'agency_deal', label: 'Deals' },
  { value: 'earning', label: 'Earnings' },
  { value: 'redemption', label: 'Redemptions' },
  { value: 'conversion', label: 'Conversions' },
  { value: 'payment', label: 'Payments' },
  { value: 'invoice', label: 'Invoices' },
  { value: 'program_terms', label: 'Terms' },
];

/** The changes of all organizations in the program, with their authors. */
export function Changes() {
  const [subjectType, setSubjectType] = useState('payout');
  const asked = useQuery({ query: AUDIT, variables: { subjectType } });
  return (
    <Card
      title="Audit log"
      isFlush
      actions={
        <StatusSelect
          label="Object"
          isClearable={false}
          options={SUBJECTS}
          value={subjectType}
          onChange={value => setSubjectType(value ?? 'payout')}
        />
      }
    >
      <Asked asked={asked} label="Loading the audit log">
        {data => <Entries key={subjectType} data={data} subjectType={subjectType} />}
      </Asked>
    </Card>
  );
}

type EntriesProps = { readonly data: ResultOf<typeof AUDIT>; readonly subjectType: string };

function Entries({ data, subjectType }: EntriesProps) {
  const { nodes, page, isLoading, showMore } = usePages(
    data.platformAuditEntries,
    AUDIT,
    { subjectType },
    of => of.platformAuditEntries,
  );
  if (nodes.length === 0)
    return (
      <Empty title="No changes yet" icon={IconHistory}>
        Each change adds an entry with its author.
      </Empty>
    );
  return (
    <>
      <Table label="Audit log" rows={nodes} keyOf={({ id }) => id} columns={COLUMNS} />
      <MoreButton page={page} isLoading={isLoading} onMore={showMore} />
    </>
  );
}

const COLUMNS: readonly Column<Entry>[] = [
  {
    title: 'Action',
    cell: ({ action, createdAt }) => (
      <Stack gap={0}>
        <Text size="sm" fw={600}>
          {inPlainWords(action.replace('.', ': '))}
        </Text>
        <Text size="xs" c="dimmed">
          <When at={createdAt} isRelative />
        </Text>
      </Stack>
    ),
  },
  { title: 'Actor', cell: ({ actorId }) => <Text size="sm">{actorId}</Text> },
  {
    title: 'From',
    isWide: true,
    cell: ({ before }) => <Facts of={before} />,
  },
  { title: 'To', isWide: true, cell: ({ after }) => <Facts of={after} /> },
];

function Facts({ of }: { readonly of: unknown }) {
  if (of === null || typeof of !== 'object') return '–';
  return (
    <Stack gap={0}>
      {Object.entries(of).map(([name, value]) => (
        <Text key={name} size="xs" style={{ overflowWrap: 'anywhere' }}>
          <Text span inherit c="dimmed">
            {name}
          </Text>{' '}
          {typeof value === 'string' ? value : JSON.stringify(value)}
        </Text>
      ))}
    </Stack>
  );
}
