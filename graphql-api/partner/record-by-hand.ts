// Records payments, refunds and disputes on behalf of the gateway, so that platform admins can try
// the program without one. Rejected in production, where recording a payment would create money.

import { rowsOf, sql } from '../platform/database/kysely.ts';
import { reject } from '../platform/rejected.ts';
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
  const { em, deps, audit } = scope;
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
    await audit({
      action: 'payment.record',
      subjectType: 'payment',
      subjectId: paymentId,
      organizationId,
      workspaceId: null,
      after: { amount, currency, outcome },
    });
  return { paymentId, outcome, earningId };
}

export async function refundRecord(scope: ActionScope, input: RefundRecord): Promise<Recorded> {
  const { refundId, paymentId, amount } = input;
  refuseInProduction(scope);
  const { organizationId, currency } = await payerOf(scope, paymentId);
  const amountMinor = requireMinor(amount, currency, 'amount');
  await recordRefund(scope, { id: refundId, paymentId, amountMinor });
  await scope.audit({
    action: 'payment.refund',
    subjectType: 'payment',
    subjectId: paymentId,
    organizationId,
    workspaceId: null,
    after: { refundId, amount, currency },
  });
  return outcomeOf(scope, paymentId);
}

export async function chargebackRecord(
  scope: ActionScope,
  { chargebackId, paymentId, isWon }: ChargebackRecord,
): Promise<Recorded> {
  refuseInProduction(scope);
  const record = isWon === true ? chargebackWon : recordChargeback;
  await record(scope, { id: chargebackId, paymentId });
  await scope.audit({
    action: isWon === true ? 'payment.chargeback_won' : 'payment.chargeback',
    subjectType: 'payment',
    subjectId: paymentId,
    organizationId: (await findPayer(scope, paymentId))?.organizationId ?? null,
    workspaceId: null,
    after: { chargebackId },
  });
  return outcomeOf(scope, paymentId);
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

/** A refund is in the currency of its payment, so the payment must be known. */
async function payerOf(scope: ActionScope, paymentId: string): Promise<Payer> {
  const payer = await findPayer(scope, paymentId);
  return (
    payer ??
    reject('NOT_FOUND', { field: ['paymentId'], message: 'No payment exists with this ID.' })
  );
}

async function outcomeOf({ em }: ActionScope, paymentId: string): Promise<Recorded> {
  const [recorded] = await rowsOf(
    em,
    sql<Recorded>`SELECT fact.id AS payment_id, fact.outcome, earning.id AS earning_id
                  FROM payment_facts fact LEFT JOIN earnings earning ON earning.payment_id = fact.id
                  WHERE fact.id = ${paymentId}`,
  );
  return recorded!;
}
