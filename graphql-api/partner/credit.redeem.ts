import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { post } from './ledger/post.ts';
import { redeem, reserve } from './ledger/redeem.ts';
import { redeemableMinor } from './ledger/redemption-cap.ts';
import { type LockedWallet, lockWallet } from './ledger/wallet.ts';
import { requireAmount } from './require-amount.ts';

export type RedeemCredits = {
  readonly invoiceId: string;
  readonly invoiceTotalMinor: bigint;
  readonly amountMinor: bigint;
};

/** Far above the gateway's own limit. */
const INVOICE_ID_LENGTH_MAX = 255;
/** How long credits stay reserved for an invoice that is not registered. */
export const RESERVATION_DAYS = 30;
const RESERVATION_MS = RESERVATION_DAYS * 24 * 60 * 60 * 1000;

/**
 * Redeems credits of the viewer's organization on an invoice. A registered invoice is paid
 * immediately; for an unregistered one the credits are reserved. The invoice belongs to the
 * organization, so the lock on its wallet also protects the invoice.
 */
export async function redeemCredits(
  scope: ActionScope,
  input: RedeemCredits,
): Promise<{ readonly id: string }> {
  const { em, viewer, deps, audit } = scope;
  const { invoiceId, amountMinor } = input;
  requireInput(input);
  const wallet = await lockWallet(em, viewer.organizationId);
  const invoice = await readInvoice(scope, invoiceId);
  if (invoice?.kind === 'PASSTHROUGH') reject('PASSTHROUGH_INVOICE', { field: ['invoiceId'] });
  const isRegistered = invoice?.kind === 'NORMAL';
  if (isRegistered && !isAsRegistered(invoice, input, wallet))
    reject('INVOICE_MISMATCH', { field: ['invoiceTotal'] });
  if (wallet === undefined || amountMinor > wallet.balances.AVAILABLE)
    return reject('INSUFFICIENT_BALANCE', { field: ['requestedAmount'] });
  if (amountMinor > redeemableMinor(input.invoiceTotalMinor, BigInt(invoice?.redeemed_minor ?? 0)))
    reject('REDEMPTION_CAP_EXCEEDED', { field: ['requestedAmount'] });

  const id = deps.newId();
  await insertRedemption(scope, wallet, input, id, isRegistered);
  await post(scope, wallet, (isRegistered ? redeem : reserve)({ id, amountMinor }));
  await audit({
    action: 'credits.redeem',
    subjectType: 'redemption',
    subjectId: id,
    after: {
      invoiceId,
      invoiceTotalMinor: String(input.invoiceTotalMinor),
      amountMinor: String(amountMinor),
      currency: wallet.currency,
      status: isRegistered ? 'CAPTURED' : 'RESERVED',
    },
  });
  return { id };
}

function requireInput({ invoiceId, invoiceTotalMinor, amountMinor }: RedeemCredits): void {
  if (invoiceId === '' || invoiceId.length > INVOICE_ID_LENGTH_MAX)
    reject('BAD_USER_INPUT', {
      field: ['invoiceId'],
      message: `invoiceId must have 1 to ${INVOICE_ID_LENGTH_MAX} characters.`,
    });
  requireAmount(invoiceTotalMinor, 'invoiceTotal');
  requireAmount(amountMinor, 'requestedAmount');
}

type InvoiceRow = {
  kind: 'NORMAL' | 'PASSTHROUGH' | null;
  total_minor: bigint | null;
  currency: string | null;
  redeemed_minor: string;
};

async function readInvoice(
  { em, viewer }: ActionScope,
  invoiceId: string,
): Promise<InvoiceRow | undefined> {
  const [row] = await em.execute<InvoiceRow[]>(
    `SELECT kind, total_minor, currency,
            (SELECT coalesce(sum(amount_minor), 0) FROM redemptions
             WHERE organization_id = invoices.organization_id AND invoice_id = invoices.id
               AND status <> 'RELEASED') AS redeemed_minor
     FROM invoices WHERE organization_id = ? AND id = ?`,
    [viewer.organizationId, invoiceId],
  );
  return row;
}

function isAsRegistered(
  invoice: InvoiceRow,
  { invoiceTotalMinor }: RedeemCredits,
  wallet: LockedWallet | undefined,
): boolean {
  return (
    invoice.total_minor === invoiceTotalMinor &&
    (wallet === undefined || wallet.currency === invoice.currency)
  );
}

async function insertRedemption(
  { em, deps }: ActionScope,
  wallet: LockedWallet,
  { invoiceId, invoiceTotalMinor, amountMinor }: RedeemCredits,
  id: string,
  isRegistered: boolean,
): Promise<void> {
  const nowMs = deps.clock.nowMs();
  const now = new Date(nowMs).toISOString();
  const expiresAt = isRegistered ? null : new Date(nowMs + RESERVATION_MS).toISOString();
  await em.execute(
    `WITH named AS (
       INSERT INTO invoices (organization_id, id, created_at) VALUES (?, ?, ?)
       ON CONFLICT (organization_id, id) DO NOTHING
     ), touched AS (
       UPDATE wallets SET last_activity_at = greatest(last_activity_at, ?) WHERE id = ?
     )
     INSERT INTO redemptions (id, organization_id, wallet_id, invoice_id, invoice_total_minor,
       amount_minor, currency, status, expires_at, settled_at, created_at)
     VALUES (?, ?, ?, ?, ?::bigint, ?::bigint, ?, ?, ?, ?, ?)`,
    [
      wallet.organizationId,
      invoiceId,
      now,
      now,
      wallet.id,
      id,
      wallet.organizationId,
      wallet.id,
      invoiceId,
      String(invoiceTotalMinor),
      String(amountMinor),
      wallet.currency,
      isRegistered ? 'CAPTURED' : 'RESERVED',
      expiresAt,
      isRegistered ? now : null,
      now,
    ],
  );
}
