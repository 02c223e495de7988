import { rowsOf, sql } from '../platform/database/kysely.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { post } from './ledger/post.ts';
import { redeem, reserve } from './ledger/postings.ts';
import { lockWallet, touchingWallet } from './ledger/wallet.ts';
import { termsOf } from './program-terms.reads.ts';
import { requireMinor } from './require-amount.ts';
import type { CreditsRedeem } from './wallet.contract.ts';

/** How long credits stay reserved for an invoice that is not registered. */
const RESERVATION_DAYS = 30;
const RESERVATION_MS = RESERVATION_DAYS * 24 * 60 * 60 * 1000;
/** Set by the specification: credits can pay at most half of an invoice. */
const CAP_PERCENT = 50n;

/**
 * Redeems credits of the viewer's organization on an invoice. A registered invoice is paid
 * immediately; for an unregistered one the credits are reserved. The invoice belongs to the
 * organization, so the lock on its wallet also protects the invoice.
 */
export async function creditsRedeem(
  scope: ActionScope,
  { invoiceId, invoiceTotal, requestedAmount }: CreditsRedeem,
): Promise<{ readonly id: string }> {
  const { em, viewer, deps, audit } = scope;
  const { currency } = await termsOf(em, viewer.organizationId);
  const invoiceTotalMinor = requireMinor(invoiceTotal, currency, 'invoiceTotal');
  const amountMinor = requireMinor(requestedAmount, currency, 'requestedAmount');
  const wallet = await lockWallet(em, viewer.organizationId);
  const invoice = await readInvoice(scope, invoiceId);
  if (invoice?.kind === 'PASSTHROUGH') reject('PASSTHROUGH_INVOICE', { field: ['invoiceId'] });
  const isRegistered = invoice?.kind === 'NORMAL';
  const isAsRegistered =
    invoice?.totalMinor === invoiceTotalMinor &&
    (wallet === undefined || wallet.currency === invoice.currency);
  if (isRegistered && !isAsRegistered) reject('INVOICE_MISMATCH', { field: ['invoiceTotal'] });
  if (wallet === undefined || amountMinor > wallet.balances.AVAILABLE)
    return reject('INSUFFICIENT_BALANCE', { field: ['requestedAmount'] });
  const redeemableMinor = (invoiceTotalMinor * CAP_PERCENT) / 100n - (invoice?.redeemedMinor ?? 0n);
  if (amountMinor > redeemableMinor)
    reject('REDEMPTION_CAP_EXCEEDED', { field: ['requestedAmount'] });

  const id = deps.newId();
  const now = new Date(deps.clock.nowMs());
  const { organizationId } = wallet;
  const redemption = {
    amountMinor,
    invoiceTotalMinor,
    currency: wallet.currency,
    status: isRegistered ? 'CAPTURED' : 'RESERVED',
  } as const;
  await touchingWallet(em, wallet, now)
    .with('named', query =>
      query
        .insertInto('invoices')
        .values({ organizationId, id: invoiceId, createdAt: now })
        .onConflict(conflict => conflict.columns(['organizationId', 'id']).doNothing()),
    )
    .insertInto('redemptions')
    .values({
      ...redemption,
      id,
      organizationId,
      walletId: wallet.id,
      invoiceId,
      expiresAt: isRegistered ? null : new Date(now.getTime() + RESERVATION_MS),
      settledAt: isRegistered ? now : null,
      createdAt: now,
    })
    .execute();
  await post(scope, wallet, (isRegistered ? redeem : reserve)({ id, amountMinor }));
  await audit({
    action: 'credits.redeem',
    subjectType: 'redemption',
    subjectId: id,
    after: {
      ...redemption,
      invoiceId,
      invoiceTotalMinor: String(invoiceTotalMinor),
      amountMinor: String(amountMinor),
    },
  });
  return { id };
}

type InvoiceRow = {
  readonly kind: 'NORMAL' | 'PASSTHROUGH' | null;
  readonly totalMinor: bigint | null;
  readonly currency: string | null;
  readonly redeemedMinor: bigint;
};

async function readInvoice(
  { em, viewer }: ActionScope,
  invoiceId: string,
): Promise<InvoiceRow | undefined> {
  const [invoice] = await rowsOf(
    em,
    sql<InvoiceRow>`
      SELECT kind, total_minor, currency,
             (SELECT coalesce(sum(amount_minor), 0)::bigint FROM redemptions
              WHERE organization_id = invoices.organization_id AND invoice_id = invoices.id
                AND status <> 'RELEASED') AS redeemed_minor
      FROM invoices WHERE organization_id = ${viewer.organizationId} AND id = ${invoiceId}`,
  );
  return invoice;
}
