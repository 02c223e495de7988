import { z } from '@hono/zod-openapi';
import { numberOf } from '../platform/money.ts';
import type { RestApp } from '../platform/rest/rest-app.ts';
import { changeRoute, listRoute } from '../platform/rest/routes.ts';
import type { Payout } from './payout.entity.ts';
import { payouts } from './payout.reads.ts';
import { payoutRequest } from './payout.request.ts';
import {
  PAYOUT_STATUSES,
  type PayoutResource,
  payoutRequestBody,
  payoutResource,
} from './wallet.contract.ts';

const BPS_PER_PERCENT = 100;

export function payoutRoutes(app: RestApp): void {
  listRoute(app, {
    path: '/api/v1/affiliates/payouts',
    tag: 'Payouts',
    operationId: 'listPayouts',
    summary: 'List the payouts, newest first',
    description: 'Returns payouts in every status, including rejected and failed ones.',
    query: {
      status: z.enum(PAYOUT_STATUSES).optional().meta({ description: 'Filters by status.' }),
    },
    item: payoutResource,
    items: 'A page of payouts.',
    page: (context, page, { status }) => payouts.page(context, page, status ? { status } : {}),
    show: payoutAnswer,
  });
  changeRoute(app, {
    path: '/api/v1/affiliates/payouts/request',
    tag: 'Payouts',
    operationId: 'requestPayout',
    summary: 'Request a payout',
    description:
      'Requests a payout of cash, from which tax is deducted. Fails with `KYC_NOT_APPROVED` (403) if the KYC is not approved, with `BELOW_MIN_THRESHOLD` (422) if the amount is below the minimum payout, and with `NET30_GUARDRAIL` (422) if the amount exceeds the cash that has been held long enough to be paid out. Owners only.',
    body: payoutRequestBody,
    result: ['The payout.', { payout: payoutResource }],
    statuses: [403],
    operation: 'payoutRequest',
    action: payoutRequest,
    input: ({ requested_amount: amount }) => ({ requestedAmount: String(amount) }),
    show: async ({ id }, context) => {
      const [payout] = await payouts.byIds(context, [id]);
      return { payout: payoutAnswer(payout!) };
    },
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
