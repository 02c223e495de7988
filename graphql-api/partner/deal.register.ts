import type { Context } from '../platform/context.ts';
import { countOf } from '../platform/database/count-of.ts';
import { kysely, rowsOf, sql } from '../platform/database/kysely.ts';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import { reject } from '../platform/rejected.ts';
import { type ActionScope, runAction } from '../platform/run-action.ts';
import type { DealRegister } from './agency.contract.ts';
import { type AgencyStanding, agencyStandingOf } from './agency.reads.ts';
import { AgencyDeal } from './deal.entity.ts';
import { lockedUntil, proofDueAt } from './deal-clock.ts';
import { isFreemail } from './prospect-domain.ts';
import { requireMinor } from './require-amount.ts';

/** Far more than an agency works on, but too few to reserve a market. */
const OPEN_DEALS_MAX = 1_000;
/** Registration is retried if the domain was released between the insert and the check. */
const ATTEMPTS_MAX = 3;

/**
 * Gives the viewer's agency the exclusive right to a prospect. The database's unique index accepts
 * one of several concurrent registrations. The others wait for its commit and are rejected with the
 * end of the exclusivity.
 */
export async function dealRegister(
  context: Context,
  input: DealRegister,
  idempotencyKey: string | undefined,
): Promise<{ readonly id: string }> {
  await expireOverdue(context, input.prospectDomain);
  return runAction(context, register, input, { operation: 'dealRegister', idempotencyKey });
}

/**
 * Releases an overdue domain immediately, without waiting for the job. Runs in a transaction of the
 * system role, because the overdue deal belongs to another agency.
 */
async function expireOverdue({ deps, requestId }: Context, domain: string): Promise<void> {
  const now = new Date(deps.clock.nowMs());
  await deps.database.asSystem(em =>
    rowsOf(em, sql`SELECT expire_overdue_deals(${now}, ${requestId}, ${domain})`),
  );
}

async function register(scope: ActionScope, input: DealRegister): Promise<{ readonly id: string }> {
  const { em, viewer, deps, audit } = scope;
  const agency = await agencyStandingOf(em, viewer.organizationId);
  if (!agency.isAgency) return reject('NOT_AGENCY');
  if (agency.agreementSignedAt === null) return reject('RESELLER_AGREEMENT_REQUIRED');
  const estimatedMinor = requireProspect(agency, input);
  await requireRoom(scope);
  const id = deps.newId();
  for (let attempt = 0; ; attempt++) {
    if (await insertDeal(scope, id, { ...input, estimatedMinor, currency: agency.currency })) break;
    await refuseWhereHeld(scope, input.prospectDomain);
    if (attempt === ATTEMPTS_MAX)
      throw new Error('the deal could not be inserted, although no other deal holds its domain');
  }
  await audit({
    action: 'agency_deal.register',
    subjectId: id,
    workspaceId: null,
    after: {
      status: 'REGISTERED',
      prospectDomain: input.prospectDomain,
      estimatedValueMinor: String(estimatedMinor),
      currency: agency.currency,
    },
  });
  return { id };
}

/**
 * Validates the prospect and returns the estimated value in minor units of the agency's currency.
 */
function requireProspect(agency: AgencyStanding, input: DealRegister): bigint {
  const { prospectDomain: domain, estimatedDealValue } = input;
  const field = ['prospectDomain'];
  if (isFreemail(domain))
    reject('PROSPECT_NOT_ALLOWED', { field, message: `${domain} is an email provider.` });
  if (domain === agency.domain)
    reject('PROSPECT_NOT_ALLOWED', { field, message: `${domain} is your own domain.` });
  return requireMinor(estimatedDealValue, agency.currency, 'estimatedDealValue');
}

async function requireRoom(scope: ActionScope): Promise<void> {
  const { organizationId } = scope.viewer;
  await oneAtATime(scope, `deals of ${organizationId}`);
  const open = { organizationId, status: { $in: ['REGISTERED', 'PROOF_SUBMITTED'] } } as const;
  if ((await countOf(scope.em, AgencyDeal, open)) >= OPEN_DEALS_MAX) reject('TOO_MANY_DEALS');
}

type NewDeal = DealRegister & { readonly estimatedMinor: bigint; readonly currency: string };

/** Returns false if the domain is held. */
async function insertDeal(
  { em, viewer, deps }: ActionScope,
  id: string,
  deal: NewDeal,
): Promise<boolean> {
  const nowMs = deps.clock.nowMs();
  const inserted = await kysely(em)
    .insertInto('agency_deals')
    .values({
      id,
      organizationId: viewer.organizationId,
      prospectCompanyName: deal.prospectCompanyName,
      prospectDomain: deal.prospectDomain,
      prospectContactEmail: deal.prospectContactEmail,
      currency: deal.currency,
      estimatedValueMinor: deal.estimatedMinor,
      notes: deal.notes ?? '',
      proofDueAt: proofDueAt(nowMs),
      lockedUntil: lockedUntil(nowMs),
      createdBy: viewer.userId,
      createdAt: new Date(nowMs),
    })
    .onConflict(held => held.column('prospectDomain').where(sql<boolean>`is_exclusive`).doNothing())
    .returning('id')
    .execute();
  return inserted.length > 0;
}

/** Rejects without disclosing which agency holds the domain. */
async function refuseWhereHeld({ em }: ActionScope, domain: string): Promise<void> {
  const [held] = await rowsOf(
    em,
    sql<{ isOwn: boolean; lockedUntil: Date }>`SELECT * FROM deal_lock(${domain})`,
  );
  if (held === undefined) return;
  const until = held.lockedUntil.toISOString();
  const field = ['prospectDomain'];
  const facts = { locked_until: until };
  if (held.isOwn) reject('DEAL_ALREADY_REGISTERED', { field, facts });
  const message = `This domain is registered to another agency until ${until}.`;
  reject('DEAL_LOCKED', { field, message, facts });
}
