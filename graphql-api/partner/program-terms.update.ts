import { LockMode } from '@mikro-orm/postgresql';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { requireMinor } from './in-main-units.ts';
import type { ProgramTermsUpdate } from './partner-admin.contract.ts';
import { ProgramTerms } from './program-terms.entity.ts';

/** Updates the terms of a region. They apply to future earnings only. For platform admins. */
export async function programTermsUpdate(
  { em, deps, audit }: ActionScope,
  input: ProgramTermsUpdate,
): Promise<{ readonly region: string }> {
  const { region } = input;
  const terms = await em.findOne(
    ProgramTerms,
    { region },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (terms === null)
    return reject('NOT_FOUND', {
      field: ['region'],
      message: 'No program terms exist for this region.',
    });
  const before = shown(terms);
  terms.creditRateBps = input.creditRateBps ?? terms.creditRateBps;
  terms.holdDays = input.holdDays ?? terms.holdDays;
  terms.commissionRateBps = input.commissionRateBps ?? terms.commissionRateBps;
  terms.commissionMonths = input.commissionMonths ?? terms.commissionMonths;
  terms.commissionAgeDays = input.commissionAgeDays ?? terms.commissionAgeDays;
  terms.dormancyDays = input.dormancyDays ?? terms.dormancyDays;
  if (input.payoutMinimum != null)
    terms.payoutMinimumMinor = requireMinor(input.payoutMinimum, terms.currency, 'payoutMinimum');
  terms.updatedAt = new Date(deps.clock.nowMs());
  await em.flush();
  await audit({
    action: 'program_terms.update',
    subjectType: 'program_terms',
    subjectId: region,
    organizationId: null,
    workspaceId: null,
    before,
    after: shown(terms),
  });
  return { region };
}

function shown(terms: ProgramTerms): Record<string, unknown> {
  const { creditRateBps, holdDays, commissionRateBps, commissionMonths, commissionAgeDays } = terms;
  const { payoutMinimumMinor, dormancyDays } = terms;
  return {
    creditRateBps,
    holdDays,
    commissionRateBps,
    commissionMonths,
    commissionAgeDays,
    payoutMinimumMinor: String(payoutMinimumMinor),
    dormancyDays,
  };
}
