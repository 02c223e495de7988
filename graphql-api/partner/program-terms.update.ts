import { kysely } from '../platform/database/kysely.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import type { ProgramTermsUpdate } from './partner-admin.contract.ts';
import type { Terms } from './program-terms.reads.ts';
import { requireMinor } from './require-amount.ts';

/** Updates the terms of a region. They apply to future earnings only. Platform admins only. */
export async function programTermsUpdate(
  { em, deps, audit }: ActionScope,
  input: ProgramTermsUpdate,
): Promise<{ readonly region: string }> {
  const { region } = input;
  const terms = await kysely(em)
    .selectFrom('program_terms')
    .selectAll()
    .where('region', '=', region)
    .forUpdate()
    .executeTakeFirst();
  if (terms === undefined)
    return reject('NOT_FOUND', {
      field: ['region'],
      message: 'No program terms exist for this region.',
    });
  const { payoutMinimum, ...rates } = input;
  const given = Object.entries(rates).filter(([, value]) => value != null);
  const updated: Terms = {
    ...terms,
    ...Object.fromEntries(given),
    ...(payoutMinimum != null && {
      payoutMinimumMinor: requireMinor(payoutMinimum, terms.currency, 'payoutMinimum'),
    }),
    updatedAt: new Date(deps.clock.nowMs()),
  };
  await kysely(em).updateTable('program_terms').set(updated).where('region', '=', region).execute();
  await audit({
    action: 'program_terms.update',
    subjectId: region,
    organizationId: null,
    workspaceId: null,
    before: audited(terms),
    after: audited(updated),
  });
  return { region };
}

/** The fields that can be updated. */
function audited({ dormancyDays, payoutMinimumMinor, ...terms }: Terms) {
  const { creditRateBps, holdDays, commissionRateBps, commissionMonths, commissionAgeDays } = terms;
  const rates = { creditRateBps, holdDays, commissionRateBps, commissionMonths, commissionAgeDays };
  return { ...rates, dormancyDays, payoutMinimumMinor: String(payoutMinimumMinor) };
}
