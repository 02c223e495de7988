// Moves a payout to its next status and posts the change to the ledger, for platform admins. If the
// outcome of a bank transfer is unknown, the payout stays in PROCESSING.

import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { type PayoutAmounts, payPayout, returnPayout, reversePayout } from './ledger/payout.ts';
import { type PostScope, post } from './ledger/post.ts';
import type { Posting } from './ledger/posting.ts';
import { type LockedWallet, lockWallet } from './ledger/wallet.ts';

export type PayoutStatus = 'REQUESTED' | 'PROCESSING' | 'PAID' | 'REJECTED' | 'FAILED' | 'REVERSED';

export type AdvancePayout = { readonly id: string } & (
  | { readonly to: 'PROCESSING' }
  | { readonly to: 'PAID'; readonly bankReference: string }
  | { readonly to: 'REJECTED' | 'FAILED' | 'REVERSED'; readonly reason: string }
);

const FROM: Readonly<Record<AdvancePayout['to'], PayoutStatus>> = {
  PROCESSING: 'REQUESTED',
  REJECTED: 'REQUESTED',
  PAID: 'PROCESSING',
  FAILED: 'PROCESSING',
  REVERSED: 'PAID',
};
/** A bank reference (UTR) has 22 characters; a reason is a sentence or two. */
const TEXT_LENGTH_MAX = 500;

/** Idempotent for the same step. */
export async function advancePayout(
  scope: ActionScope,
  step: AdvancePayout,
): Promise<{ readonly id: string }> {
  const { em, audit } = scope;
  requireText(step);
  const organizationId = await ownerOf(scope, step.id);
  const wallet = (await lockWallet(em, organizationId))!;
  const payout = await readPayout(scope, step.id);
  if (payout.status === step.to && isSaidBefore(payout, step)) return { id: step.id };
  if (payout.status !== FROM[step.to])
    reject('PAYOUT_STATUS', {
      field: ['id'],
      message: `The payout is ${payout.status}; only a payout that is ${FROM[step.to]} can become ${step.to}.`,
    });
  if (step.to === 'PROCESSING') await requireApprovedKyc(scope, organizationId);
  await writeStep(scope, step);
  const posting = await postingOf(scope, wallet, payout, step);
  if (posting !== undefined) await post(scope, wallet, posting);
  await audit({
    action: `payout.${step.to.toLowerCase()}`,
    subjectType: 'payout',
    subjectId: step.id,
    organizationId,
    workspaceId: null,
    before: { status: payout.status },
    after: { status: step.to, ...textOf(step) },
  });
  return { id: step.id };
}

/** The KYC was approved at the request, but may have been rejected or replaced since. */
async function requireApprovedKyc({ em }: ActionScope, organizationId: string): Promise<void> {
  const approved = await em.execute<unknown[]>(
    `SELECT 1 FROM affiliate_profiles
     WHERE organization_id = ? AND kyc_status = 'KYC_APPROVED' FOR SHARE`,
    [organizationId],
  );
  if (approved.length === 0) reject('KYC_NOT_APPROVED', { field: ['id'] });
}

function requireText(step: AdvancePayout): void {
  for (const [name, text] of Object.entries(textOf(step))) {
    if (text.trim() === '' || text.length > TEXT_LENGTH_MAX)
      reject('BAD_USER_INPUT', {
        field: [name],
        message: `${name} must have 1 to ${TEXT_LENGTH_MAX} characters.`,
      });
  }
}

function textOf(step: AdvancePayout): Record<string, string> {
  if (step.to === 'PROCESSING') return {};
  return step.to === 'PAID' ? { bankReference: step.bankReference } : { reason: step.reason };
}

async function ownerOf({ em }: ActionScope, id: string): Promise<string> {
  const [row] = await em.execute<{ organization_id: string }[]>(
    'SELECT organization_id FROM payouts WHERE id = ?',
    [id],
  );
  return (
    row?.organization_id ??
    reject('NOT_FOUND', { field: ['id'], message: 'No payout exists with this ID.' })
  );
}

type PayoutRow = PayoutAmounts & {
  readonly status: PayoutStatus;
  readonly bankReference: string | null;
  readonly reason: string | null;
};

/** The caller must hold the lock of the wallet. */
async function readPayout({ em }: ActionScope, id: string): Promise<PayoutRow> {
  const [row] = await em.execute<
    {
      gross: string;
      tax: string;
      net: string;
      status: PayoutStatus;
      bankReference: string | null;
      reason: string | null;
    }[]
  >(
    `SELECT gross_minor AS gross, tax_minor AS tax, net_minor AS net, status,
            bank_reference AS "bankReference", reason
     FROM payouts WHERE id = ?`,
    [id],
  );
  const { gross, tax, net, ...rest } = row!;
  return {
    ...rest,
    id,
    grossMinor: BigInt(gross),
    taxMinor: BigInt(tax),
    netMinor: BigInt(net),
  };
}

function isSaidBefore(payout: PayoutRow, step: AdvancePayout): boolean {
  if (step.to === 'PROCESSING') return true;
  return step.to === 'PAID'
    ? payout.bankReference === step.bankReference
    : payout.reason === step.reason;
}

async function writeStep({ em, deps }: ActionScope, step: AdvancePayout): Promise<void> {
  const now = new Date(deps.clock.nowMs()).toISOString();
  if (step.to === 'PROCESSING') {
    await em.execute('UPDATE payouts SET status = ?, processing_at = ? WHERE id = ?', [
      step.to,
      now,
      step.id,
    ]);
  } else if (step.to === 'PAID') {
    await em.execute(
      'UPDATE payouts SET status = ?, paid_at = ?, bank_reference = ? WHERE id = ?',
      [step.to, now, step.bankReference, step.id],
    );
  } else {
    await em.execute('UPDATE payouts SET status = ?, closed_at = ?, reason = ? WHERE id = ?', [
      step.to,
      now,
      step.reason,
      step.id,
    ]);
  }
}

async function postingOf(
  scope: PostScope,
  { balances }: LockedWallet,
  payout: PayoutAmounts,
  { to }: AdvancePayout,
): Promise<Posting | undefined> {
  switch (to) {
    case 'PROCESSING':
      return undefined;
    case 'PAID':
      return payPayout(payout);
    case 'REJECTED':
    case 'FAILED':
      return returnPayout(balances, payout);
    case 'REVERSED':
      return reversePayout(balances, payout, await paidTransactionId(scope, payout.id));
  }
}

async function paidTransactionId({ em }: PostScope, id: string): Promise<string | undefined> {
  const [row] = await em.execute<{ id: string }[]>(
    `SELECT id FROM ledger_transactions
     WHERE source_type = 'payout' AND source_id = ? AND kind = 'PAY_PAYOUT'`,
    [id],
  );
  return row?.id;
}
