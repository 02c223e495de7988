import { createRoute, z } from '@hono/zod-openapi';
import { numberOf } from '../../schema/values/money.ts';
import type { Context } from '../platform/context.ts';
import {
  allow,
  bodyOf,
  changeErrors,
  errors,
  idempotencyHeader,
  json,
  type RestApp,
  resultOf,
} from '../platform/rest/rest-app.ts';
import { runAction } from '../platform/run-action.ts';
import { dealProofBody, dealRegisterBody } from './agency.contract.ts';
import { type AgencyDashboard, agencyDashboard } from './agency-dashboard.reads.ts';
import type { AgencyDeal } from './deal.entity.ts';
import { agencyDealsByIds, proofsByDeals } from './deal.reads.ts';
import { dealRegister } from './deal.register.ts';
import {
  type AgencyDashboardResource,
  agencyDashboardResource,
  type DealResource,
  dealResource,
} from './deal.resource.ts';
import { dealSubmitProof } from './deal.submit-proof.ts';
import { dealStateAt } from './deal-clock.ts';
import type { DealProof } from './deal-proof.entity.ts';

const TAGS = ['Agencies'];
const dealResult = resultOf({ deal: dealResource });

export function agencyRoutes(app: RestApp): void {
  const register = createRoute({
    method: 'post',
    path: '/api/v1/agencies/deals/register',
    tags: TAGS,
    operationId: 'registerDeal',
    summary: 'Register a deal',
    description:
      'Registers a prospect. No other agency can register its domain for 90 days. A proof must be submitted within 14 days. Fails with `DEAL_LOCKED` (409, with `locked_until`) if another agency has registered the domain. Owners of agencies only.',
    middleware: allow('owner', 10),
    request: { headers: idempotencyHeader, body: bodyOf(dealRegisterBody) },
    responses: { 201: json('The registered deal.', dealResult), ...changeErrors() },
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
    return c.json(await dealShown(context, id), 201);
  });

  const prove = createRoute({
    method: 'post',
    path: '/api/v1/agencies/deals/{deal_id}/proof',
    tags: TAGS,
    operationId: 'submitDealProof',
    summary: 'Submit a proof of a deal',
    description:
      'Submits a proof that the agency is working on the deal, within 14 days of its registration. The newest proof counts. The document is not fetched. Fails with `PROOF_DEADLINE_PASSED` (409) after the deadline. Owners only.',
    middleware: allow('owner', 10),
    request: {
      params: z.object({
        deal_id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' }),
      }),
      headers: idempotencyHeader,
      body: bodyOf(dealProofBody),
    },
    responses: { 200: json('The updated deal.', dealResult), ...changeErrors(404) },
  });
  app.openapi(prove, async c => {
    const { context } = c.var;
    const { proof_type, proof_document_url, notes } = c.req.valid('json');
    const id = c.req.valid('param').deal_id;
    const input = { id, proofType: proof_type, proofDocumentUrl: proof_document_url, notes };
    const idempotencyKey = c.req.header('idempotency-key');
    const options = { operation: 'dealSubmitProof', idempotencyKey };
    await runAction(context, dealSubmitProof, input, options);
    return c.json(await dealShown(context, id), 200);
  });

  const dashboard = createRoute({
    method: 'get',
    path: '/api/v1/agencies/dashboard',
    tags: TAGS,
    operationId: 'getAgencyDashboard',
    summary: 'Get the agency dashboard',
    description:
      'Returns deal counts by status, the value of the pipeline, the win rate and the latest deals.',
    middleware: allow('member', 20),
    responses: { 200: json('The dashboard.', agencyDashboardResource), ...errors() },
  });
  app.openapi(dashboard, async c => {
    const { context } = c.var;
    return c.json(await dashboardAnswer(context, await agencyDashboard(context)), 200);
  });
}

async function dealShown(context: Context, id: string): Promise<z.output<typeof dealResult>> {
  const [answer] = await dealAnswers(context, await agencyDealsByIds(context, [id]));
  return { status: 'SUCCESS', deal: answer! };
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
  const known = await proofsByDeals(
    context,
    deals.map(({ id }) => id),
  );
  const lastByDeal = new Map(known.map(({ id, proofs }) => [id, proofs[0]]));
  const nowMs = context.deps.clock.nowMs();
  return deals.map(deal => dealAnswer(deal, lastByDeal.get(deal.id), nowMs));
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
    proof: proof === undefined ? null : proofAnswer(proof),
    proof_due_at: deal.proofDueAt.toISOString(),
    locked_until: deal.lockedUntil.toISOString(),
    created_at: deal.createdAt.toISOString(),
    closed_at: closedAt?.toISOString() ?? null,
  };
}

function proofAnswer(proof: DealProof): NonNullable<DealResource['proof']> {
  return {
    proof_type: proof.proofType,
    proof_document_url: proof.documentUrl,
    notes: proof.notes,
    submitted_at: proof.createdAt.toISOString(),
  };
}
