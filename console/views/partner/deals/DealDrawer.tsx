import { Anchor, Drawer, Group, Stack, Text, Timeline, Title } from '@mantine/core';
import { useQuery } from 'urql';
import { Asked } from '../../../pieces/Asked.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { Money } from '../../../pieces/Money.tsx';
import { When } from '../../../pieces/When.tsx';
import { DealClock } from './DealClock.tsx';
import { DealMenu } from './DealMenu.tsx';
import { DealState } from './DealState.tsx';
import { DEAL, type DealDetail } from './deals-query.ts';
import { PROOF_TYPES } from './proof-types.ts';

type DealDrawerProps = {
  /** Undefined if no deal is selected. */
  readonly id: string | undefined;
  readonly onClose: () => void;
};

export function DealDrawer({ id, onClose }: DealDrawerProps) {
  const asked = useQuery({ query: DEAL, variables: { id: id ?? '' }, pause: id === undefined });
  return (
    <Drawer opened={id !== undefined} onClose={onClose} title="Deal" size="md">
      {id !== undefined && (
        <Asked asked={asked} label="Loading the deal">
          {({ node }) =>
            node?.__typename === 'AgencyDeal' ? (
              <Detail deal={node} />
            ) : (
              <Empty title="Deal not found">It may belong to another agency.</Empty>
            )
          }
        </Asked>
      )}
    </Drawer>
  );
}

function Detail({ deal }: { readonly deal: DealDetail }) {
  return (
    <Stack gap="lg">
      <div>
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Title order={2} size="h3" style={{ overflowWrap: 'anywhere' }}>
            {deal.prospectCompanyName}
          </Title>
          <DealMenu deal={deal} />
        </Group>
        <Text size="sm" c="dimmed">
          {deal.prospectDomain} · {deal.prospectContactEmail}
        </Text>
        <Group mt="sm" gap="sm">
          <DealState status={deal.status} />
          <Money of={deal.actualDealValue ?? deal.estimatedDealValue} fw={600} />
        </Group>
        <DealClock deal={deal} />
      </div>
      {deal.notes !== '' && (
        <div>
          <Title order={3} size="h6" mb={4}>
            Notes
          </Title>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {deal.notes}
          </Text>
        </div>
      )}
      <div>
        <Title order={3} size="h6" mb="sm">
          History
        </Title>
        <Steps deal={deal} />
      </div>
    </Stack>
  );
}

function Steps({ deal }: { readonly deal: DealDetail }) {
  return (
    <Timeline bulletSize={14} lineWidth={2}>
      <Timeline.Item title="Registered">
        <Moment at={deal.createdAt} />
      </Timeline.Item>
      {deal.proofs.toReversed().map(({ proofType, proofDocumentUrl, notes, submittedAt }) => (
        <Timeline.Item key={submittedAt} title={PROOF_TYPES[proofType]}>
          <Moment at={submittedAt} />
          <Anchor
            href={proofDocumentUrl}
            target="_blank"
            rel="noreferrer"
            size="sm"
            style={{ overflowWrap: 'anywhere' }}
          >
            {proofDocumentUrl}
          </Anchor>
          {notes !== '' && <Text size="sm">{notes}</Text>}
        </Timeline.Item>
      ))}
      {deal.closedAt !== null && (
        <Timeline.Item title={<DealState status={deal.status} />}>
          <Moment at={deal.closedAt} />
        </Timeline.Item>
      )}
    </Timeline>
  );
}

function Moment({ at }: { readonly at: string }) {
  return (
    <Text size="xs" c="dimmed">
      <When at={at} />
    </Text>
  );
}
