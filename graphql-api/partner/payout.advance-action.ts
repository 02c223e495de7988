import { Rejected, type Rejection, rejection } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { PayoutAdvance, PayoutBulkAdvance } from './partner-admin.contract.ts';
import { type AdvancePayout, advancePayout } from './payout.advance.ts';

/** Moves a payout to its next status, for platform admins. */
export function payoutAdvance(
  scope: ActionScope,
  input: PayoutAdvance,
): Promise<{ readonly id: string }> {
  return advancePayout(scope, stepOf(input));
}

/** Moves several payouts; all are moved or none. */
export async function payoutBulkAdvance(
  scope: ActionScope,
  { payouts }: PayoutBulkAdvance,
): Promise<{ readonly ids: readonly string[] }> {
  const positions = new Map(payouts.map((payout, index) => [payout.id, index]));
  if (positions.size < payouts.length)
    throw new Rejected([
      rejection('BAD_USER_INPUT', {
        field: ['payouts'],
        message: 'payouts contains a duplicate ID.',
      }),
    ]);
  // Sorted by organization, so that concurrent requests lock the wallets in the same order.
  const ordered = await scope.em.execute<{ id: string }[]>(
    'SELECT id FROM payouts WHERE id = ANY (?::uuid[]) ORDER BY organization_id, id',
    [`{${[...positions.keys()].join()}}`],
  );
  const known = new Set(ordered.map(({ id }) => id));
  const [first, ...others] = payouts.flatMap(({ id }, index) =>
    known.has(id)
      ? []
      : [
          rejection('NOT_FOUND', {
            field: ['payouts', `${index}`, 'id'],
            message: 'No payout exists with this ID.',
          }),
        ],
  );
  if (first !== undefined) throw new Rejected([first, ...others]);
  for (const { id } of ordered) {
    const position = positions.get(id)!;
    try {
      await advancePayout(scope, stepOf(payouts[position]!));
    } catch (error) {
      throw error instanceof Rejected ? atPosition(error, position) : error;
    }
  }
  return { ids: payouts.map(({ id }) => id) };
}

/** The contract guarantees that the required fields are present. */
function stepOf({ id, to, bankReference, reason }: PayoutAdvance): AdvancePayout {
  switch (to) {
    case 'PROCESSING':
      return { id, to };
    case 'PAID':
      return { id, to, bankReference: bankReference! };
    case 'REJECTED':
    case 'FAILED':
    case 'REVERSED':
      return { id, to, reason: reason! };
  }
}

function atPosition({ rejections }: Rejected, position: number): Rejected {
  const moved = rejections.map(
    (one): Rejection => ({ ...one, field: ['payouts', `${position}`, ...(one.field ?? [])] }),
  );
  return new Rejected(moved as [Rejection, ...Rejection[]]);
}
