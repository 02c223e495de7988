import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { lockWallet } from './ledger/wallet.ts';
import { settleReservations } from './redemption.settle-reservations.ts';
import { requireAmount } from './require-amount.ts';

export type InvoiceChannel = 'SMS' | 'MESSAGING_APP' | 'RCS' | 'EMAIL';

export type RegisterInvoice = {
  readonly organizationId: string;
  readonly invoiceId: string;
  readonly totalMinor: bigint;
  readonly currency: string;
  /** The channel whose costs the invoice passes on. Credits cannot be redeemed on it then. */
  readonly channel?: InvoiceChannel | null | undefined;
};

/**
 * Registers an invoice. The organization's reservations for it are captured if they match and
 * released otherwise. Idempotent. For platform admins.
 */
export async function registerInvoice(
  scope: ActionScope,
  input: RegisterInvoice,
): Promise<{ readonly id: string }> {
  const { em, audit } = scope;
  const { organizationId, invoiceId, totalMinor, currency, channel } = input;
  requireAmount(totalMinor, 'total');
  const organizations = await em.execute<unknown[]>('SELECT 1 FROM organizations WHERE id = ?', [
    organizationId,
  ]);
  if (organizations.length === 0)
    reject('NOT_FOUND', {
      field: ['organizationId'],
      message: 'No organization exists with this ID.',
    });
  const wallet = await lockWallet(em, organizationId);
  if (!(await insertInvoice(scope, input))) {
    if (!(await isRegisteredSo(scope, input)))
      reject('INVOICE_ALREADY_REGISTERED', { field: ['invoiceId'] });
    return { id: invoiceId };
  }
  if (wallet !== undefined) await settleReservations(scope, wallet);
  await audit({
    action: 'invoice.register',
    subjectType: 'invoice',
    subjectId: invoiceId,
    organizationId,
    workspaceId: null,
    after: {
      kind: kindOf(input),
      totalMinor: String(totalMinor),
      currency,
      channel: channel ?? null,
    },
  });
  return { id: invoiceId };
}

function kindOf({ channel }: RegisterInvoice): 'NORMAL' | 'PASSTHROUGH' {
  return channel == null ? 'NORMAL' : 'PASSTHROUGH';
}

const UNIQUE_VIOLATION = '23505';

/**
 * Returns false if the invoice was already registered. An invoice number belongs to one
 * organization only.
 */
async function insertInvoice({ em, deps }: ActionScope, input: RegisterInvoice): Promise<boolean> {
  const now = new Date(deps.clock.nowMs()).toISOString();
  try {
    const inserted = await em.execute<unknown[]>(
      `INSERT INTO invoices AS invoice
         (organization_id, id, kind, channel, total_minor, currency, registered_at, created_at)
       VALUES (?, ?, ?, ?, ?::bigint, ?, ?, ?)
       ON CONFLICT (organization_id, id) DO UPDATE SET kind = excluded.kind,
         channel = excluded.channel, total_minor = excluded.total_minor,
         currency = excluded.currency, registered_at = excluded.registered_at
       WHERE invoice.registered_at IS NULL
       RETURNING 1`,
      [
        input.organizationId,
        input.invoiceId,
        kindOf(input),
        input.channel ?? null,
        String(input.totalMinor),
        input.currency,
        now,
        now,
      ],
    );
    return inserted.length > 0;
  } catch (error) {
    if ((error as { code?: string }).code === UNIQUE_VIOLATION)
      reject('INVOICE_ALREADY_REGISTERED', { field: ['invoiceId'] });
    throw error;
  }
}

async function isRegisteredSo({ em }: ActionScope, input: RegisterInvoice): Promise<boolean> {
  const rows = await em.execute<unknown[]>(
    `SELECT 1 FROM invoices WHERE organization_id = ? AND id = ? AND total_minor = ?::bigint
       AND currency = ? AND channel IS NOT DISTINCT FROM ?`,
    [
      input.organizationId,
      input.invoiceId,
      String(input.totalMinor),
      input.currency,
      input.channel ?? null,
    ],
  );
  return rows.length > 0;
}
