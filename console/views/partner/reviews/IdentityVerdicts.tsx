import { Alert, Button, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react';
import { graphql } from '../../../graph/graphql.ts';
import { confirm } from '../../../pieces/confirm.tsx';
import { inCount } from '../../../pieces/in-words.ts';
import { useAction } from '../../../pieces/use-action.tsx';
import type { Submission } from './identities-query.ts';
import { RejectIdentities } from './RejectIdentities.tsx';

const APPROVE = graphql(`
  mutation PartnerReviewApprove($ids: [ID!]!) {
    kycApprove(input: { ids: $ids }) {
      kycSubmissions { id status }
      userErrors { message field }
    }
  }
`);

type IdentityVerdictsProps = {
  readonly rows: readonly Submission[];
  readonly isInRow?: boolean;
  readonly onDone: () => void;
};

export function IdentityVerdicts({ rows, isInRow = false, onDone }: IdentityVerdictsProps) {
  const approve = useAction(APPROVE, {
    done: approvedWords(rows),
    // Also after a refusal: another admin may have decided.
    changes: ['KycSubmission'],
  });
  const size = isInRow ? 'compact-xs' : 'xs';
  const approveAll = async () => {
    if (await approve.run({ ids: idsOf(rows) })) onDone();
  };
  const nameOf = (verb: string, key: string) => ({
    'aria-keyshortcuts': key,
    ...(isInRow && { 'aria-label': `${verb}: ${wordsFor(rows)}` }),
  });
  return (
    <>
      <Button
        size={size}
        variant={isInRow ? 'default' : 'filled'}
        leftSection={!isInRow && <IconCheck size={15} />}
        {...nameOf('Approve', 'a')}
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
        size={size}
        variant="default"
        leftSection={!isInRow && <IconX size={15} />}
        {...nameOf('Reject', 'r')}
        onClick={() => openRejection(rows, onDone)}
      >
        Reject
      </Button>
    </>
  );
}

function openRejection(rows: readonly Submission[], onDone: () => void): void {
  const modalId = modals.open({
    title: `Reject ${wordsFor(rows)}`,
    children: (
      <RejectIdentities
        ids={idsOf(rows)}
        names={wordsFor(rows)}
        onDone={() => {
          modals.close(modalId);
          onDone();
        }}
      />
    ),
  });
}

function idsOf(rows: readonly Submission[]): string[] {
  return rows.map(({ id }) => id);
}

function wordsFor(rows: readonly Submission[]): string {
  return rows.length === 1 ? rows[0]!.fullName : `${inCount(rows.length)} submissions`;
}

function approvedWords(rows: readonly Submission[]): string {
  return rows.length === 1
    ? `Identity approved. ${rows[0]!.fullName} can now request payouts.`
    : `${wordsFor(rows)} approved. These partners can now request payouts.`;
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
        {rows.length === 1
          ? `${rows[0]!.fullName} becomes an affiliate and can request payouts.`
          : 'They become affiliates and can request payouts.'}
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
