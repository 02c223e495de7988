import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from '../platform/context.ts';
import { numberOf } from '../platform/money.ts';
import {
  allow,
  bodyOf,
  changeErrors,
  idempotencyHeader,
  json,
  type RestApp,
  resultOf,
} from '../platform/rest/rest-app.ts';
import { changeRoute, showRoute } from '../platform/rest/routes.ts';
import {
  type AgencyDashboardResource,
  agencyDashboardResource,
  type DealResource,
  dealProofBody,
  dealRegisterBody,
  dealResource,
} from './agency.contract.ts';
import { type AgencyDashboard, agencyDashboard } from './agency.reads.ts';
import { dealSubmitProof } from './deal.advance.ts';
import type { AgencyDeal } from './deal.entity.ts';
import { agencyDeals, proofsByDeals } from './deal.reads.ts';
import { dealRegister } from './deal.register.ts';
import { dealStateAt } from './deal-clock.ts';
import type { DealProof } from './deal-proof.entity.ts';

const TAG = 'Agencies';
const params = z.object({
  deal_id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' }),
});
const shown = { deal: dealResource };

export function agencyRoutes(app: RestApp): void {
  const register = createRoute({
    method: 'post',
    path: '/api/v1/agencies/deals/register',
    tags: [TAG],
    operationId: 'registerDeal',
    summary: 'Register a deal',
    description:
      'Registers a prospect. For 90 days, no other agency can register the prospect’s domain. Proof must be submitted within 14 days. Fails with `DEAL_LOCKED` (409, with `locked_until`) if another agency has registered the domain. Owners of agencies only.',
    middleware: allow('owner', 10),
    request: { headers: idempotencyHeader, body: bodyOf(dealRegisterBody) },
    responses: { 201: json('The registered deal.', resultOf(shown)), ...changeErrors() },
  });
  app.openapi(register, async c => {
    const { context } = c.var;
    const deal = c.req.valid('json');
    const input = {
      prospectCompanyName: deal.prospect_company_name,
      prospectDomain: deal.prospect_domain,
      prospectContactEmail: deal.prospect_contact_email,
      estimatedDealValue: String(deal.estimated_deal_value),
      notes: deal.notes,
    };
    const { id } = await dealRegister(context, input, c.req.header('idempotency-key'));
    return c.json({ status: 'SUCCESS' as const, ...(await dealShown({ id }, context)) }, 201);
  });

  changeRoute(app, {
    path: '/api/v1/agencies/deals/{deal_id}/proof',
    tag: TAG,
    operationId: 'submitDealProof',
    summary: 'Submit proof of work on a deal',
    description:
      'Submits proof that the agency is working on the deal. The deadline is 14 days after the deal was registered. Only the newest proof counts. The service does not fetch the document. Fails with `PROOF_DEADLINE_PASSED` (409) after the deadline. Owners only.',
    params,
    body: dealProofBody,
    result: ['The updated deal.', shown],
    statuses: [404],
    operation: 'dealSubmitProof',
    action: dealSubmitProof,
    input: ({
      deal_id: id,
      proof_type: proofType,
      proof_document_url: proofDocumentUrl,
      notes,
    }) => ({
      id,
      proofType,
      proofDocumentUrl,
      notes,
    }),
    show: dealShown,
  });
  showRoute(app, {
    path: '/api/v1/agencies/dashboard',
    tag: TAG,
    operationId: 'getAgencyDashboard',
    summary: 'Retrieve the agency dashboard',
    description:
      'Returns deal counts by status, the value of the pipeline, the win rate and the latest deals.',
    points: 20,
    result: ['The dashboard.', agencyDashboardResource],
    show: async (_, context) => dashboardAnswer(context, await agencyDashboard(context)),
  });
}

async function dealShown({ id }: { readonly id: string }, context: Context) {
  const [deal] = await dealAnswers(context, await agencyDeals.byIds(context, [id]));
  return { deal: deal! };
}

async function dashboardAnswer(
  context: Context,
  { counts, currency: currencyCode, estimatedMinor, actualMinor, ...dashboard }: AgencyDashboard,
): Promise<AgencyDashboardResource> {
  return {
    deal_counts: counts,
    pipeline: {
      estimated_value: numberOf({ amountMinor: estimatedMinor, currencyCode }),
      actual_value: numberOf({ amountMinor: actualMinor, currencyCode }),
    },
    win_rate: dashboard.winRate,
    recent_deals: await dealAnswers(context, dashboard.recentDeals),
  };
}

async function dealAnswers(
  context: Context,
  deals: readonly AgencyDeal[],
): Promise<DealResource[]> {
  const ids = deals.map(({ id }) => id);
  const proofs = await proofsByDeals(context, ids);
  const newestByDeal = new Map(proofs.map(of => [of.id, of.proofs[0]]));
  const nowMs = context.deps.clock.nowMs();
  return deals.map(deal => dealAnswer(deal, newestByDeal.get(deal.id), nowMs));
}

function dealAnswer(deal: AgencyDeal, proof: DealProof | undefined, nowMs: number): DealResource {
  const { currency: currencyCode, actualValueMinor } = deal;
  const { status, statusReason, closedAt } = dealStateAt(deal, nowMs);
  return {
    id: deal.id,
    prospect_company_name: deal.prospectCompanyName,
    prospect_domain: deal.prospectDomain,
    prospect_contact_email: deal.prospectContactEmail,
    estimated_deal_value: numberOf({ amountMinor: deal.estimatedValueMinor, currencyCode }),
    actual_deal_value:
      actualValueMinor == null ? null : numberOf({ amountMinor: actualValueMinor, currencyCode }),
    currency: currencyCode,
    notes: deal.notes,
    status,
    status_reason: statusReason,
    proof: proof
      ? {
          proof_type: proof.proofType,
          proof_document_url: proof.documentUrl,
          notes: proof.notes,
          submitted_at: proof.createdAt.toISOString(),
        }
      : null,
    proof_due_at: deal.proofDueAt.toISOString(),
    locked_until: deal.lockedUntil.toISOString(),
    created_at: deal.createdAt.toISOString(),
    closed_at: closedAt?.toISOString() ?? null,
  };
}
