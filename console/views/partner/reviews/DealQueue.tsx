import { Anchor, Box, Button, Group, Stack, Text } from '@mantine/core';
import { IconBriefcase } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { graphql, type ResultOf } from '../../../graph/graphql.ts';
import { Card } from '../../../pieces/Card.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Money } from '../../../pieces/Money.tsx';
import type { Column } from '../../../pieces/Table.tsx';
import { DealClock } from '../deals/DealClock.tsx';
import { DEAL_STATUS_OPTIONS, DealState } from '../deals/DealState.tsx';
import { PROOF_TYPES } from '../deals/proof-types.ts';
import { useDealActions } from '../deals/use-deal-actions.tsx';
import { Queue } from './Queue.tsx';
import { queueTitle } from './queue-title.ts';
import { StatusSelect } from './StatusSelect.tsx';

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

type DealQueueProps = { readonly next: ReactNode };

/** Deals with a proof need a decision: won or lost. */
export function DealQueue({ next }: DealQueueProps) {
  const [status, setStatus] = useState<Status | null>('PROOF_SUBMITTED');
  return (
    <Card
      title={queueTitle('Deals', DEAL_STATUS_OPTIONS, status)}
      isFlush
      actions={<StatusSelect options={DEAL_STATUS_OPTIONS} value={status} onChange={setStatus} />}
    >
      <Queue
        // A query keeps its rows while it loads those of another state.
        key={status}
        label="Deals"
        document={PLATFORM_DEALS}
        variables={{ status }}
        connectionOf={data => data.platformDeals}
        typename="AgencyDeal"
        columns={COLUMNS}
        empty={
          status === 'PROOF_SUBMITTED' ? (
            <Empty title="No deals to review" icon={IconBriefcase}>
              Deals with a submitted proof stay here until you mark them as won or lost.
              {next}
            </Empty>
          ) : (
            <Empty title="No deals in this state" icon={IconBriefcase}>
              Select another state.
            </Empty>
          )
        }
      />
    </Card>
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
