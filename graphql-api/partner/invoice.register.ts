import { kysely } from '../platform/database/kysely.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { lockWallet } from './ledger/wallet.ts';
import type { InvoiceRegister } from './partner-admin.contract.ts';
import { settleReservations } from './redemption.settle-reservations.ts';
import { requireMinor } from './require-amount.ts';
import { requireOrganization } from './require-organization.ts';

/**
 * Registers an invoice. The organization's reservations for it are captured if they match and
 * released otherwise. Idempotent. Platform admins only.
 */
export async function invoiceRegister(
  scope: ActionScope,
  input: InvoiceRegister,
): Promise<{ readonly id: string }> {
  const { em, audit } = scope;
  const { organizationId, invoiceId: id, total, currency, channel = null } = input;
  const invoice = {
    kind: channel === null ? 'NORMAL' : 'PASSTHROUGH',
    channel,
    totalMinor: requireMinor(total, currency, 'total'),
    currency,
  } as const;
  await requireOrganization(em, organizationId);
  const wallet = await lockWallet(em, organizationId);
  if (!(await insertInvoice(scope, { organizationId, id }, invoice))) {
    if (!(await isRegisteredSo(scope, { organizationId, id }, invoice)))
      reject('INVOICE_ALREADY_REGISTERED', { field: ['invoiceId'] });
    return { id };
  }
  if (wallet !== undefined) await settleReservations(scope, wallet);
  await audit({
    action: 'invoice.register',
    subjectId: id,
    organizationId,
    workspaceId: null,
    after: { ...invoice, totalMinor: String(invoice.totalMinor) },
  });
  return { id };
}

type Key = { readonly organizationId: string; readonly id: string };

type Invoice = {
  readonly kind: 'NORMAL' | 'PASSTHROUGH';
  /** The channel whose costs the invoice passes on. Credits cannot be redeemed on it then. */
  readonly channel: string | null;
  readonly totalMinor: bigint;
  readonly currency: string;
};

const UNIQUE_VIOLATION = '23505';

/**
 * Returns false if the invoice was already registered. An invoice number belongs to one
 * organization only.
 */
async function insertInvoice(
  { em, deps }: ActionScope,
  key: Key,
  invoice: Invoice,
): Promise<boolean> {
  const now = new Date(deps.clock.nowMs());
  const registered = { ...invoice, registeredAt: now };
  try {
    const inserted = await kysely(em)
      .insertInto('invoices')
      .values({ ...key, ...registered, createdAt: now })
      .onConflict(conflict =>
        conflict
          .columns(['organizationId', 'id'])
          .doUpdateSet(registered)
          .where('invoices.registeredAt', 'is', null),
      )
      .returning('id')
      .executeTakeFirst();
    return inserted !== undefined;
  } catch (error) {
    if ((error as { code?: string }).code === UNIQUE_VIOLATION)
      reject('INVOICE_ALREADY_REGISTERED', { field: ['invoiceId'] });
    throw error;
  }
}

async function isRegisteredSo(
  { em }: ActionScope,
  key: Key,
  { totalMinor, currency, channel }: Invoice,
): Promise<boolean> {
  const registered = await kysely(em)
    .selectFrom('invoices')
    .select('id')
    .where(eb => eb.and({ ...key, totalMinor, currency }))
    .where('channel', 'is not distinct from', channel)
    .executeTakeFirst();
  return registered !== undefined;
}
