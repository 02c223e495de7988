import { kysely } from '../platform/database/kysely.ts';
import { notFound, reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { lockWallet } from './ledger/wallet.ts';
import type { CreditReschedule } from './partner-admin.contract.ts';

/**
 * Changes the release day of one credit: later to hold it during an investigation, earlier to
 * release it sooner. The ledger does not change before the release. Platform admins only.
 */
export async function creditReschedule(
  { em, audit }: ActionScope,
  { id, releaseDate, reason }: CreditReschedule,
): Promise<{ readonly id: string }> {
  const find = async () => {
    const earning = await kysely(em)
      .selectFrom('earnings')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    return earning ?? notFound('earning', 'id');
  };
  const { organizationId } = await find();
  // The wallet lock serializes this with a release of the credit.
  await lockWallet(em, organizationId);
  const { releaseOn, status } = await find();
  if (status !== 'PENDING') return reject('CREDIT_STATUS', { field: ['id'] });
  if (releaseOn === releaseDate) return { id };
  await kysely(em)
    .updateTable('earnings')
    .set({ releaseOn: releaseDate })
    .where('id', '=', id)
    .execute();
  await audit({
    action: 'earning.reschedule',
    subjectId: id,
    organizationId,
    workspaceId: null,
    before: { releaseDate: releaseOn },
    after: { releaseDate, reason },
  });
  return { id };
}
