import { createRoute, z } from '@hono/zod-openapi';
import { numberOf } from '../../schema/values/money.ts';
import { listAnswer } from '../platform/rest/list-answer.ts';
import {
  allow,
  bodyOf,
  changeErrors,
  errors,
  idempotencyHeader,
  json,
  listOf,
  pageQuery,
  type RestApp,
  resultOf,
} from '../platform/rest/rest-app.ts';
import { runAction } from '../platform/run-action.ts';
import { payoutRequest } from './in-main-units.ts';
import { payouts } from './own-wallet.reads.ts';
import type { Payout } from './payout.entity.ts';
import {
  PAYOUT_STATUSES,
  type PayoutResource,
  payoutRequestBody,
  payoutResource,
} from './wallet.contract.ts';

const BPS_PER_PERCENT = 100;

export function payoutRoutes(app: RestApp): void {
  const list = createRoute({
    method: 'get',
    path: '/api/v1/affiliates/payouts',
    tags: ['Payouts'],
    operationId: 'listPayouts',
    summary: 'List the payouts, newest first',
    description: 'Returns payouts in every status, including rejected and failed ones.',
    middleware: allow('member'),
    request: {
      query: pageQuery.extend({
        status: z.enum(PAYOUT_STATUSES).optional().meta({ description: 'Filters by status.' }),
      }),
    },
    responses: { 200: json('A page of payouts.', listOf(payoutResource)), ...errors(400) },
  });
  app.openapi(list, async c => {
    const { limit, cursor, status } = c.req.valid('query');
    const filter = status === undefined ? {} : { status };
    const page = await payouts.page(c.var.context, { first: limit, after: cursor }, filter);
    return c.json(listAnswer(page, payoutAnswer), 200);
  });

  const request = createRoute({
    method: 'post',
    path: '/api/v1/affiliates/payouts/request',
    tags: ['Payouts'],
    operationId: 'requestPayout',
    summary: 'Request a payout',
    description:
      'Requests a payout of cash, from which tax is deducted. Fails with `KYC_NOT_APPROVED` (403) if the KYC is not approved, with `BELOW_MIN_THRESHOLD` (422) if the amount is below the minimum payout, and with `NET30_GUARDRAIL` (422) if the amount exceeds the cash that has reached the minimum age. Owners only.',
    middleware: allow('owner', 10),
    request: { headers: idempotencyHeader, body: bodyOf(payoutRequestBody) },
    responses: {
      200: json('The payout.', resultOf({ payout: payoutResource })),
      ...changeErrors(403),
    },
  });
  app.openapi(request, async c => {
    const { context } = c.var;
    const input = { requestedAmount: String(c.req.valid('json').requested_amount) };
    const options = { operation: 'payoutRequest', idempotencyKey: c.req.header('idempotency-key') };
    const { id } = await runAction(context, payoutRequest, input, options);
    const [payout] = await payouts.byIds(context, [id]);
    return c.json({ status: 'SUCCESS' as const, payout: payoutAnswer(payout!) }, 200);
  });
}

function payoutAnswer(payout: Payout): PayoutResource {
  const amount = (amountMinor: bigint) => numberOf({ amountMinor, currencyCode: payout.currency });
  return {
    id: payout.id,
    status: payout.status,
    gross_amount: amount(payout.grossMinor),
    tax_rate_percent: payout.taxRateBps / BPS_PER_PERCENT,
    tax_amount: amount(payout.taxMinor),
    net_amount: amount(payout.netMinor),
    currency: payout.currency,
    bank_reference: payout.bankReference ?? null,
    reason: payout.reason ?? null,
    requested_at: payout.createdAt.toISOString(),
    processing_at: payout.processingAt?.toISOString() ?? null,
    paid_at: payout.paidAt?.toISOString() ?? null,
    closed_at: payout.closedAt?.toISOString() ?? null,
  };
}
