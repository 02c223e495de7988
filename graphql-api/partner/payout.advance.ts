// Moves payouts to their next status and posts the change to the ledger, for platform admins. If the
// outcome of a bank transfer is unknown, the payout stays in PROCESSING.

import type { EntityManager } from '@mikro-orm/postgresql';
import { kysely, type RowOf } from '../platform/database/kysely.ts';
import { Rejected, type Rejection, reject, rejection } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { post } from './ledger/post.ts';
import type { Posting } from './ledger/posting.ts';
import { payPayout, returnPayout, reversePayout } from './ledger/postings.ts';
import { type Balances, lockWallet } from './ledger/wallet.ts';
import {
  NOTE_CHARACTERS_MAX,
  type PayoutAdvance,
  type PayoutBulkAdvance,
} from './partner-admin.contract.ts';

/** For each status, the status that it follows, and the column with the time of the change. */
const STEPS = {
  PROCESSING: { from: 'REQUESTED', time: 'processingAt' },
  REJECTED: { from: 'REQUESTED', time: 'closedAt' },
  PAID: { from: 'PROCESSING', time: 'paidAt' },
  FAILED: { from: 'PROCESSING', time: 'closedAt' },
  REVERSED: { from: 'PAID', time: 'closedAt' },
} as const;

const NO_PAYOUT = 'No payout exists with this ID.';

/** Idempotent for the same step. */
export async function payoutAdvance(
  scope: ActionScope,
  step: PayoutAdvance,
): Promise<{ readonly id: string }> {
  const { em, deps, audit } = scope;
  const { id, to } = step;
  const note = noteOf(step);
  const { organizationId } = await readPayout(em, id);
  const wallet = (await lockWallet(em, organizationId))!;
  const payout = await readPayout(em, id);
  if (payout.status === to && hasNote(payout, note)) return { id };
  const { from, time } = STEPS[to];
  if (payout.status !== from)
    reject('PAYOUT_STATUS', {
      field: ['id'],
      message: `The payout is ${payout.status}; only a payout that is ${from} can become ${to}.`,
    });
  if (to === 'PROCESSING') await requireApprovedKyc(em, organizationId);
  await kysely(em)
    .updateTable('payouts')
    .set({ status: to, ...note, [time]: new Date(deps.clock.nowMs()) })
    .where('id', '=', id)
    .execute();
  const posting = await postingOf(em, wallet.balances, payout, to);
  if (posting !== undefined) await post(scope, wallet, posting);
  await audit({
    action: `payout.${to.toLowerCase()}`,
    subjectId: id,
    organizationId,
    workspaceId: null,
    before: { status: payout.status },
    after: { status: to, ...note },
  });
  return { id };
}

/** Moves several payouts; all are moved or none. */
export async function payoutBulkAdvance(
  scope: ActionScope,
  { payouts }: PayoutBulkAdvance,
): Promise<{ readonly ids: readonly string[] }> {
  const positions = new Map(payouts.map((payout, index) => [payout.id, index]));
  if (positions.size < payouts.length)
    reject('BAD_USER_INPUT', { field: ['payouts'], message: 'payouts contains a duplicate ID.' });
  // Sorted by organization, so that concurrent requests lock the wallets in the same order.
  const ordered = await kysely(scope.em)
    .selectFrom('payouts')
    .select('id')
    .where('id', 'in', [...positions.keys()])
    .orderBy('organizationId')
    .orderBy('id')
    .execute();
  const existing = new Set(ordered.map(({ id }) => id));
  const [first, ...others] = payouts.flatMap(({ id }, index) =>
    existing.has(id)
      ? []
      : [rejection('NOT_FOUND', { field: ['payouts', `${index}`, 'id'], message: NO_PAYOUT })],
  );
  if (first !== undefined) throw new Rejected([first, ...others]);
  for (const { id } of ordered) {
    const position = positions.get(id)!;
    try {
      await payoutAdvance(scope, payouts[position]!);
    } catch (error) {
      throw error instanceof Rejected ? atPosition(error, position) : error;
    }
  }
  return { ids: payouts.map(({ id }) => id) };
}

function atPosition({ rejections }: Rejected, position: number): Rejected {
  const moved = rejections.map(
    (one): Rejection => ({ ...one, field: ['payouts', `${position}`, ...(one.field ?? [])] }),
  );
  return new Rejected(moved as [Rejection, ...Rejection[]]);
}

async function readPayout(em: EntityManager, id: string): Promise<RowOf<'payouts'>> {
  const payout = await kysely(em)
    .selectFrom('payouts')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return payout ?? reject('NOT_FOUND', { field: ['id'], message: NO_PAYOUT });
}

type Note = Partial<Record<'bankReference' | 'reason', string>>;

/** The contract guarantees that the required text, and no other, is present. */
function noteOf({ bankReference, reason }: PayoutAdvance): Note {
  for (const [name, text] of Object.entries({ bankReference, reason }))
    if (text?.trim() === '')
      reject('BAD_USER_INPUT', {
        field: [name],
        message: `${name} must have 1 to ${NOTE_CHARACTERS_MAX} characters.`,
      });
  return { ...(bankReference != null && { bankReference }), ...(reason != null && { reason }) };
}

function hasNote(payout: RowOf<'payouts'>, note: Note): boolean {
  return Object.entries(note).every(([name, text]) => payout[name as keyof Note] === text);
}

/** The KYC was approved at the request, but may have been rejected or replaced since. */
async function requireApprovedKyc(em: EntityManager, organizationId: string): Promise<void> {
  const approved = await kysely(em)
    .selectFrom('affiliate_profiles')
    .select('organizationId')
    .where('organizationId', '=', organizationId)
    .where('kycStatus', '=', 'KYC_APPROVED')
    .forShare()
    .executeTakeFirst();
  if (approved === undefined) reject('KYC_NOT_APPROVED', { field: ['id'] });
}

async function postingOf(
  em: EntityManager,
  balances: Balances,
  payout: RowOf<'payouts'>,
  to: PayoutAdvance['to'],
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
      return reversePayout(balances, payout, await paidTransactionId(em, payout.id));
  }
}

async function paidTransactionId(em: EntityManager, id: string): Promise<string | undefined> {
  const paid = await kysely(em)
    .selectFrom('ledger_transactions')
    .select('id')
    .where('sourceType', '=', 'payout')
    .where('sourceId', '=', id)
    .where('kind', '=', 'PAY_PAYOUT')
    .executeTakeFirst();
  return paid?.id;
}
