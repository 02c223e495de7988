import { Anchor, Box, Button, Group, Stack, Text } from '@mantine/core';
import { IconBriefcase } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from 'urql';
import { graphql, type ResultOf } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Money } from '../../../pieces/Money.tsx';
import { MoreButton } from '../../../pieces/MoreButton.tsx';
import { type Column, Table } from '../../../pieces/Table.tsx';
import { usePages } from '../../../pieces/use-pages.ts';
import { useQueueKeys } from '../../../pieces/use-queue-keys.ts';
import type { Ask } from '../../../pieces/use-repeat.ts';
import { DealClock } from '../deals/DealClock.tsx';
import { DEAL_STATUS_OPTIONS, DealState } from '../deals/DealState.tsx';
import { DEALS_CONTEXT } from '../deals/deals-query.ts';
import { PROOF_TYPES } from '../deals/proof-types.ts';
import { useDealActions } from '../deals/use-deal-actions.tsx';
import { queueTitle } from './queue-title.ts';
import { StatusSelect } from './StatusSelect.tsx';
import { useOnReturn } from './use-on-return.ts';

const PLATFORM_DEALS = graphql(`
  query PartnerReviewDeals($status: DealStatus, $after: String) {
    platformDeals(first: 20, status: $status, after: $after) {
      nodes {
        id organizationName status statusReason prospectCompanyName prospectDomain
        proofDueAt lockedUntil closedAt
        estimatedDealValue { amount currencyCode }
        actualDealValue { amount currencyCode }
        proofs { proofType proofDocumentUrl submittedAt }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

type PlatformDeal = ResultOf<typeof PLATFORM_DEALS>['platformDeals']['nodes'][number];
type Status = PlatformDeal['status'];

/** Deals with a proof need a decision: won or lost. */
export function DealQueue() {
  const [status, setStatus] = useState<Status | null>('PROOF_SUBMITTED');
  return (
    <Card
      title={queueTitle('Deals', DEAL_STATUS_OPTIONS, status)}
      isFlush
      actions={<StatusSelect options={DEAL_STATUS_OPTIONS} value={status} onChange={setStatus} />}
    >
      <Queue key={status} status={status} />
    </Card>
  );
}

/** A query keeps its rows while it loads those of another state, so each state has its own. */
function Queue({ status }: Pick<RowsProps, 'status'>) {
  const asked = useQuery({ query: PLATFORM_DEALS, variables: { status }, context: DEALS_CONTEXT });
  return (
    <Asked asked={asked} label="Loading deals">
      {data => <Rows data={data} status={status} ask={asked[1]} />}
    </Asked>
  );
}

type RowsProps = {
  readonly data: ResultOf<typeof PLATFORM_DEALS>;
  readonly status: Status | null;
  readonly ask: Ask;
};

function Rows({ data, status, ask }: RowsProps) {
  const { nodes, page, isLoading, showMore } = usePages(
    data.platformDeals,
    PLATFORM_DEALS,
    { status },
    of => of.platformDeals,
  );
  const queue = useQueueKeys<HTMLDivElement>();
  useOnReturn(ask, nodes.length > data.platformDeals.nodes.length);
  return (
    <div ref={queue}>
      {nodes.length === 0 ? (
        <Empty
          title={status === 'PROOF_SUBMITTED' ? 'No deals to review' : 'No deals in this state'}
          icon={IconBriefcase}
        >
          {status === 'PROOF_SUBMITTED'
            ? 'Deals with a submitted proof stay here until you mark them as won or lost.'
            : 'Select another state.'}
        </Empty>
      ) : (
        <>
          <Table label="Deals" rows={nodes} keyOf={({ id }) => id} columns={COLUMNS} />
          <MoreButton page={page} isLoading={isLoading} onMore={showMore} />
        </>
      )}
    </div>
  );
}

const COLUMNS: readonly Column<PlatformDeal>[] = [
  {
    title: 'Deal',
    cell: ({ prospectCompanyName, prospectDomain, organizationName }) => (
      <Stack gap={0}>
        <Text size="sm" fw={600}>
          {prospectCompanyName}
        </Text>
        <Text size="xs" c="dimmed">
          {prospectDomain} · by {organizationName}
        </Text>
      </Stack>
    ),
  },
  {
    title: 'State',
    cell: deal => (
      <Stack gap={0} align="flex-start">
        <DealState status={deal.status} />
        <DealClock deal={deal} />
      </Stack>
    ),
  },
  { title: 'Last proof', isWide: true, cell: ({ proofs: [proof] }) => <Proof proof={proof} /> },
  {
    title: 'Value',
    isNumber: true,
    isWide: true,
    cell: ({ actualDealValue, estimatedDealValue }) => (
      <Money of={actualDealValue ?? estimatedDealValue} fw={600} />
    ),
  },
  { title: 'Actions', cell: deal => <Verdicts deal={deal} /> },
];

function Proof({ proof }: { readonly proof: PlatformDeal['proofs'][number] | undefined }) {
  if (proof === undefined) return '–';
  return (
    <Anchor href={proof.proofDocumentUrl} target="_blank" rel="noreferrer" size="sm">
      {PROOF_TYPES[proof.proofType]}
    </Anchor>
  );
}

function Verdicts({ deal }: { readonly deal: PlatformDeal }) {
  const actions = useDealActions(deal, true);
  return (
    <Group gap={4}>
      {actions.map(({ to, label, open }) => (
        <Button
          key={to}
          size="compact-xs"
          variant="default"
          aria-label={`${label}: ${deal.prospectCompanyName}`}
          aria-keyshortcuts={to === 'WON' ? 'a' : 'r'}
          onClick={open}
        >
          <Box component="span" visibleFrom="sm">
            Mark as&nbsp;
          </Box>
          {to === 'WON' ? 'won' : 'lost'}
        </Button>
      ))}
    </Group>
  );
}
