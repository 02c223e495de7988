// Records payments, refunds and disputes on behalf of the gateway, so that platform admins can try
// the program without one. Rejected in production, where recording a payment would create money.

import { rowsOf, sql } from '../platform/database/kysely.ts';
import { notFound, reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { ChargebackRecord, PaymentRecord, RefundRecord } from './partner-admin.contract.ts';
import { type PaymentOutcome, recordPayment } from './payment.record.ts';
import { requireMinor } from './require-amount.ts';
import { requireOrganization } from './require-organization.ts';
import { chargebackWon, recordChargeback, recordRefund } from './reversal.record.ts';

export type Recorded = {
  readonly paymentId: string;
  /** Null if the payment itself has not been recorded yet. */
  readonly outcome: PaymentOutcome | null;
  readonly earningId: string | null;
};

export async function paymentRecord(scope: ActionScope, input: PaymentRecord): Promise<Recorded> {
  const { em, deps } = scope;
  const { paymentId, organizationId, amount, currency, clearedAt } = input;
  refuseInProduction(scope);
  await requireOrganization(em, organizationId);
  const recorded = await recordPayment(scope, {
    id: paymentId,
    organizationId,
    amountMinor: requireMinor(amount, currency, 'amount'),
    currency,
    clearedAt: clearedAt ?? new Date(deps.clock.nowMs()),
  });
  const { outcome, earningId = null, isRepeat } = recorded;
  if (!isRepeat)
    await auditPayment(scope, 'record', paymentId, organizationId, { amount, currency, outcome });
  return { paymentId, outcome, earningId };
}

export async function refundRecord(scope: ActionScope, input: RefundRecord): Promise<Recorded> {
  const { refundId, paymentId, amount } = input;
  refuseInProduction(scope);
  // A refund is in the currency of its payment, so the payment must be known.
  const payer = await findPayer(scope, paymentId);
  if (payer === undefined) return notFound('payment', 'paymentId');
  const { organizationId, currency } = payer;
  const amountMinor = requireMinor(amount, currency, 'amount');
  await recordRefund(scope, { id: refundId, paymentId, amountMinor });
  await auditPayment(scope, 'refund', paymentId, organizationId, { refundId, amount, currency });
  return outcomeOf(scope, paymentId);
}

export async function chargebackRecord(
  scope: ActionScope,
  { chargebackId, paymentId, isWon }: ChargebackRecord,
): Promise<Recorded> {
  refuseInProduction(scope);
  const [record, verb] = isWon
    ? ([chargebackWon, 'chargeback_won'] as const)
    : ([recordChargeback, 'chargeback'] as const);
  await record(scope, { id: chargebackId, paymentId });
  const payer = await findPayer(scope, paymentId);
  await auditPayment(scope, verb, paymentId, payer?.organizationId ?? null, { chargebackId });
  return outcomeOf(scope, paymentId);
}

function auditPayment(
  { audit }: ActionScope,
  verb: string,
  subjectId: string,
  organizationId: string | null,
  after: Readonly<Record<string, unknown>>,
): Promise<void> {
  const action = `payment.${verb}`;
  return audit({ action, subjectId, organizationId, workspaceId: null, after });
}

function refuseInProduction({ deps }: ActionScope): void {
  if (deps.config.isProduction) reject('RECORDED_BY_GATEWAY');
}

async function findPayer({ em }: ActionScope, paymentId: string): Promise<Payer | undefined> {
  const [payer] = await rowsOf(
    em,
    sql<Payer>`SELECT organization_id, currency FROM payment_facts
               WHERE id = ${paymentId} AND cleared_at IS NOT NULL`,
  );
  return payer;
}

type Payer = { readonly organizationId: string; readonly currency: string };

async function outcomeOf({ em }: ActionScope, paymentId: string): Promise<Recorded> {
  const [recorded] = await rowsOf(
    em,
    sql<Recorded>`SELECT fact.id AS payment_id, fact.outcome, earning.id AS earning_id
                  FROM payment_facts fact LEFT JOIN earnings earning ON earning.payment_id = fact.id
                  WHERE fact.id = ${paymentId}`,
  );
  return recorded!;
}
