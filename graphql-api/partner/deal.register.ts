import { minorOf } from '../../schema/values/money.ts';
import type { Context } from '../platform/context.ts';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import { reject } from '../platform/rejected.ts';
import { type ActionScope, runAction } from '../platform/run-action.ts';
import type { DealRegister } from './agency.contract.ts';
import { type AgencyStanding, agencyStandingOf } from './agency-standing.reads.ts';
import { lockedUntil, proofDueAt } from './deal-clock.ts';
import { isFreemail } from './prospect-domain.ts';

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
  const now = new Date(deps.clock.nowMs()).toISOString();
  await deps.database.asSystem(em =>
    em.execute('SELECT expire_overdue_deals(?, ?, ?)', [now, requestId, domain]),
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
    if (attempt === ATTEMPTS_MAX) throw new Error('the prospect domain is neither held nor free');
  }
  await audit({
    action: 'agency_deal.register',
    subjectType: 'agency_deal',
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
  return (
    minorOf(estimatedDealValue, agency.currency) ??
    reject('BAD_USER_INPUT', {
      field: ['estimatedDealValue'],
      message: `estimatedDealValue has more decimals than ${agency.currency} allows.`,
    })
  );
}

async function requireRoom(scope: ActionScope): Promise<void> {
  const { organizationId } = scope.viewer;
  await oneAtATime(scope, `deals of ${organizationId}`);
  const [row] = await scope.em.execute<{ count: number }[]>(
    `SELECT count(*)::int AS count FROM agency_deals
     WHERE organization_id = ? AND status IN ('REGISTERED', 'PROOF_SUBMITTED')`,
    [organizationId],
  );
  if (row!.count >= OPEN_DEALS_MAX) reject('TOO_MANY_DEALS');
}

type NewDeal = DealRegister & { readonly estimatedMinor: bigint; readonly currency: string };

/** Returns false if the domain is held. */
async function insertDeal(
  { em, viewer, deps }: ActionScope,
  id: string,
  deal: NewDeal,
): Promise<boolean> {
  const nowMs = deps.clock.nowMs();
  const inserted = await em.execute<unknown[]>(
    `INSERT INTO agency_deals (id, organization_id, prospect_company_name, prospect_domain,
       prospect_contact_email, currency, estimated_value_minor, notes, proof_due_at, locked_until,
       created_by, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?::bigint, ?, ?, ?, ?, ?)
     ON CONFLICT (prospect_domain) WHERE is_exclusive DO NOTHING RETURNING 1`,
    [
      id,
      viewer.organizationId,
      deal.prospectCompanyName,
      deal.prospectDomain,
      deal.prospectContactEmail,
      deal.currency,
      String(deal.estimatedMinor),
      deal.notes ?? '',
      proofDueAt(nowMs).toISOString(),
      lockedUntil(nowMs).toISOString(),
      viewer.userId,
      new Date(nowMs).toISOString(),
    ],
  );
  return inserted.length > 0;
}

/** Rejects without disclosing which agency holds the domain. */
async function refuseWhereHeld({ em }: ActionScope, domain: string): Promise<void> {
  const [held] = await em.execute<{ is_own: boolean; locked_until: string }[]>(
    'SELECT is_own, locked_until FROM deal_lock(?)',
    [domain],
  );
  if (held === undefined) return;
  const until = new Date(held.locked_until).toISOString();
  const field = ['prospectDomain'];
  const facts = { locked_until: until };
  if (held.is_own) reject('DEAL_ALREADY_REGISTERED', { field, facts });
  const message = `Another agency has registered this domain until ${until}.`;
  reject('DEAL_LOCKED', { field, message, facts });
}
