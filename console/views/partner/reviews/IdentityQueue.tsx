import { Alert, Button, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconAlertTriangle, IconCheck, IconIdBadge2, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from 'urql';
import { graphql, type ResultOf } from '../../../graph/graphql.ts';
import { Asked } from '../../../pieces/Asked.tsx';
import { BulkBar } from '../../../pieces/BulkBar.tsx';
import { Card } from '../../../pieces/Card.tsx';
import { confirm } from '../../../pieces/confirm.tsx';
import { Empty } from '../../../pieces/Empty.tsx';
import { inCount } from '../../../pieces/in-words.ts';
import { MoreButton } from '../../../pieces/MoreButton.tsx';
import { Table } from '../../../pieces/Table.tsx';
import { useAction } from '../../../pieces/use-action.tsx';
import { useChosen } from '../../../pieces/use-chosen.tsx';
import { usePages } from '../../../pieces/use-pages.ts';
import { useQueueKeys } from '../../../pieces/use-queue-keys.ts';
import { IDENTITIES, type Submission } from './identities-query.ts';
import { IDENTITY_COLUMNS, IDENTITY_STATUS_OPTIONS } from './identity-columns.tsx';
import { RejectIdentities } from './RejectIdentities.tsx';
import { StatusSelect } from './StatusSelect.tsx';

const APPROVE = graphql(`
  mutation PartnerReviewApprove($ids: [ID!]!) {
    kycApprove(input: { ids: $ids }) {
      kycSubmissions { id status }
      userErrors { message field }
    }
  }
`);

type Status = Submission['status'];

const CONTEXT = { additionalTypenames: ['KycSubmission'] };

export function IdentityQueue() {
  const [status, setStatus] = useState<Status | null>('KYC_PENDING');
  const asked = useQuery({ query: IDENTITIES, variables: { status }, context: CONTEXT });
  return (
    <Card
      title="Identity submissions"
      isFlush
      actions={
        <StatusSelect options={IDENTITY_STATUS_OPTIONS} value={status} onChange={setStatus} />
      }
    >
      <Asked asked={asked} label="Loading submissions">
        {data => <Queue key={status} data={data} status={status} />}
      </Asked>
    </Card>
  );
}

type QueueProps = { readonly data: ResultOf<typeof IDENTITIES>; readonly status: Status | null };

function Queue({ data, status }: QueueProps) {
  const { nodes, page, isLoading, showMore } = usePages(
    data.kycSubmissions,
    IDENTITIES,
    { status },
    of => of.kycSubmissions,
  );
  const chosen = useChosen(nodes, ({ fullName }) => fullName);
  const queue = useQueueKeys<HTMLDivElement>();
  if (nodes.length === 0)
    return (
      <Empty
        title={
          status === 'KYC_PENDING' ? 'No submissions to review' : 'No submissions in this state'
        }
        icon={IconIdBadge2}
      >
        {status === 'KYC_PENDING'
          ? 'Submissions from affiliates appear here for review.'
          : 'Select another state.'}
      </Empty>
    );
  return (
    <div ref={queue}>
      <BulkBar count={chosen.rows.length}>
        <Verdicts rows={chosen.rows} onDone={chosen.clear} />
      </BulkBar>
      <Table
        label="Submissions"
        rows={nodes}
        keyOf={({ id }) => id}
        columns={[chosen.column, ...IDENTITY_COLUMNS]}
      />
      <MoreButton page={page} isLoading={isLoading} onMore={showMore} />
    </div>
  );
}

type VerdictsProps = { readonly rows: readonly Submission[]; readonly onDone: () => void };

function Verdicts({ rows, onDone }: VerdictsProps) {
  const approve = useAction(APPROVE, { done: 'Approved. Cash can now be paid out.' });
  const ids = rows.map(({ id }) => id);
  const approveAll = async () => {
    if (await approve.run({ ids })) onDone();
  };
  const reject = () => {
    const modalId = modals.open({
      title: `Reject ${wordsFor(rows)}`,
      children: (
        <RejectIdentities
          ids={ids}
          onDone={() => {
            modals.close(modalId);
            onDone();
          }}
        />
      ),
    });
  };
  return (
    <>
      <Button
        size="xs"
        leftSection={<IconCheck size={15} />}
        aria-keyshortcuts="a"
        loading={approve.isRunning}
        onClick={() =>
          confirm({
            title: `Approve ${wordsFor(rows)}`,
            confirm: 'Approve',
            children: <Consequence rows={rows} />,
            onConfirm: () => void approveAll(),
          })
        }
      >
        Approve
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconX size={15} />}
        aria-keyshortcuts="r"
        onClick={reject}
      >
        Reject
      </Button>
    </>
  );
}

function wordsFor(rows: readonly Submission[]): string {
  return rows.length === 1 ? rows[0]!.fullName : `${inCount(rows.length)} submissions`;
}

function Consequence({ rows }: { readonly rows: readonly Submission[] }) {
  const shared = rows.filter(({ alerts }) => alerts.length > 0);
  return (
    <Stack gap="sm">
      {rows.map(({ id, fullName, panMasked, bankAccountMasked, bankIfsc }) => (
        <Text key={id} size="sm">
          <Text span inherit fw={600}>
            {fullName}
          </Text>
          : {panMasked === null ? 'no PAN' : `PAN ${panMasked}`}, account {bankAccountMasked} at{' '}
          {bankIfsc}
        </Text>
      ))}
      <Text size="sm" c="dimmed">
        They become affiliates and can request payouts.
      </Text>
      {shared.length > 0 && (
        <Alert color="yellow" variant="outline" icon={<IconAlertTriangle />}>
          {shared.map(({ fullName }) => fullName).join(', ')} submitted a PAN or bank account that
          another organization also submitted.
        </Alert>
      )}
    </Stack>
  );
}
