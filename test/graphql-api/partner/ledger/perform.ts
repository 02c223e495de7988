// Runs the model's operations on the service, and returns the contents of the database in the terms
// of the model.

import { expireReservations } from '../../../../graphql-api/partner/expire-reservations.job.ts';
import { releaseDueCredits } from '../../../../graphql-api/partner/release-credits.job.ts';
import type { AppDeps } from '../../../../graphql-api/platform/context.ts';
import { Rejected } from '../../../../graphql-api/platform/rejected.ts';
import type { Operation, Partner } from './model.ts';
import type { Money, Referral } from './money.ts';
import type { observe } from './observe.ts';

export type World = {
  readonly money: Money;
  readonly referral: Referral;
  /** Maps the model's keys to the IDs of rows, and back. */
  readonly ids: Map<string, string>;
};

/** Returns 'OK' or the code of the refusal, like the model. */
export async function perform(
  world: World,
  operation: Operation,
  deps: AppDeps = world.money.deps,
): Promise<string> {
  try {
    await performAs(world, operation, deps);
    return 'OK';
  } catch (error) {
    if (error instanceof Rejected) return error.rejections[0]!.code;
    throw error;
  }
}

async function performAs(world: World, operation: Operation, deps: AppDeps): Promise<void> {
  const { referral, ids } = world;
  const { referrer } = referral;
  const act = world.money.with(deps);
  switch (operation.type) {
    case 'pay': {
      const id = own(world, operation.id);
      await act.pay(referral.referees[operation.referee]!, BigInt(operation.amount), { id });
      return;
    }
    case 'refund':
      return act.refund(
        own(world, operation.payment),
        BigInt(operation.amount),
        own(world, operation.id),
      );
    case 'chargeback':
      return act.chargeback(own(world, operation.payment), own(world, operation.id));
    case 'won':
      return act.chargebackWon(own(world, operation.payment), own(world, operation.id));
    case 'release':
      await releaseDueCredits(deps, world.money.today());
      return;
    case 'expire':
      await expireReservations(deps);
      return;
    case 'redeem': {
      const input = {
        invoiceId: own(world, operation.invoice),
        invoiceTotalMinor: BigInt(operation.total),
        amountMinor: BigInt(operation.amount),
      };
      ids.set(operation.key, (await act.redeem(referrer, input, operation.key)).id);
      return;
    }
    case 'register':
      await act.registerInvoice(
        referrer,
        own(world, operation.invoice),
        BigInt(operation.total),
        operation.isPassthrough ? 'SMS' : undefined,
      );
      return;
    case 'convert': {
      const amount = operation.amount === undefined ? undefined : BigInt(operation.amount);
      await act.convert(referrer, amount, operation.key);
      return;
    }
    case 'request': {
      const amount = BigInt(operation.amount);
      ids.set(operation.key, (await act.requestPayout(referrer, amount, operation.key)).id);
      return;
    }
    case 'advance': {
      const { to } = operation;
      const id = ids.get(operation.payout)!;
      if (to === 'PROCESSING') await act.advancePayout({ id, to });
      else if (to === 'PAID') await act.advancePayout({ id, to, bankReference: 'UTR1' });
      else await act.advancePayout({ id, to, reason: 'said so' });
    }
  }
}

/** The gateway's IDs and invoice numbers are unique across tenants, so this adds the referrer. */
function own({ referral }: World, id: string): string {
  return `${referral.referrer}:${id}`;
}

export async function setPartner({ money, referral }: World, partner: Partner): Promise<void> {
  const { referrer } = referral;
  await money.sql('UPDATE partner_profiles SET partner_status = $2 WHERE organization_id = $1', [
    referrer,
    partner.status,
  ]);
  await money.sql(
    `INSERT INTO affiliate_profiles (organization_id, kyc_status, has_pan_verified, has_gst)
     VALUES ($1, $2, $3, $4) ON CONFLICT (organization_id) DO UPDATE
     SET kyc_status = excluded.kyc_status, has_pan_verified = excluded.has_pan_verified,
         has_gst = excluded.has_gst`,
    [referrer, partner.isApproved ? 'KYC_APPROVED' : 'KYC_PENDING', partner.hasPan, partner.hasGst],
  );
}

/** Returns the contents of the database in the terms of the model. */
export async function look({ money, referral, ids }: World): Promise<ReturnType<typeof observe>> {
  const { referrer, referees } = referral;
  const keys = new Map([...ids].map(([key, id]) => [id, key]));
  const short = (id: string) => id.slice(referrer.length + 1);
  const [row] = (await money.sql(LOOK, [referrer, referees])) as [Looked];
  const pot = (kind: string) => Number(row.accounts?.[kind] ?? 0);
  return {
    pots: {
      pending: pot('PENDING'),
      available: pot('AVAILABLE'),
      cash: pot('CASH'),
      inPayout: pot('IN_PAYOUT'),
      debt: Math.abs(pot('DEBT')),
    },
    earnings: Object.fromEntries(
      row.earnings.map(({ payment, ...earning }) => [short(payment), earning]),
    ),
    redemptions: Object.fromEntries(
      row.redemptions.map(({ id, invoice, ...rest }) => [
        keys.get(id) ?? id,
        { ...rest, invoice: short(invoice) },
      ]),
    ),
    payouts: Object.fromEntries(row.payouts.map(({ id, ...rest }) => [keys.get(id) ?? id, rest])),
    converted: Number(row.converted),
    livePayments: referees.map(id => Number(row.live[id])),
  };
}

type Seen = ReturnType<typeof observe>;
type Looked = {
  readonly accounts: Record<string, number> | null;
  readonly earnings: (Seen['earnings'][string] & { payment: string })[];
  readonly redemptions: (Seen['redemptions'][string] & { id: string })[];
  readonly payouts: (Seen['payouts'][string] & { id: string })[];
  readonly converted: string;
  readonly live: Record<string, number>;
};

const LOOK = `
  SELECT
    (SELECT json_object_agg(kind, balance_minor) FROM ledger_accounts
     WHERE organization_id = $1) AS accounts,
    (SELECT coalesce(json_agg(json_build_object('payment', payment_id, 'kind', kind,
       'amount', amount_minor, 'clawed', clawed_minor, 'isReleased', released_at IS NOT NULL)), '[]')
     FROM earnings WHERE organization_id = $1) AS earnings,
    (SELECT coalesce(json_agg(json_build_object('id', id, 'invoice', invoice_id,
       'amount', amount_minor, 'status', status)), '[]')
     FROM redemptions WHERE organization_id = $1) AS redemptions,
    (SELECT coalesce(json_agg(json_build_object('id', id, 'gross', gross_minor, 'tax', tax_minor,
       'status', status)), '[]')
     FROM payouts WHERE organization_id = $1) AS payouts,
    (SELECT coalesce(sum(amount_minor), 0) FROM conversions WHERE organization_id = $1) AS converted,
    (SELECT json_object_agg(referee_organization_id, live_payments) FROM referee_relations
     WHERE referee_organization_id = ANY ($2)) AS live`;
