// A bill of the platform, over HTTP only. A referred organization pays a link at the gateway, which
// sends a signed webhook through ingest. The referrer's credit is pending, released and spent; a
// chargeback claws it back, and is won in the end.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { releaseCredits } from '../../graphql-api/partner/release-credits.job.ts';
import { startGatewayInbox } from '../../graphql-api/payments/inbox/process-gateway-events.ts';
import type { RunningInbox } from '../../graphql-api/platform/jobs/inbox.ts';
import { WEBHOOK_PATH } from '../../schema/gateway/webhook-path.ts';
import { PLAN_INPUT, subscriptionInput } from '../graphql-api/harness/gateway.ts';
import {
  type Caller,
  organizationNode,
  START_MS,
  useClockedApi,
} from '../graphql-api/partner/clocked-api.ts';
import { programOf } from '../graphql-api/partner/program.ts';
import { eventually } from '../harness/eventually.ts';
import { PLATFORM_CLIENT_ID, PLATFORM_CLIENT_SECRET, useGateway } from '../harness/gateway.ts';
import { newSecret } from '../harness/gateway-webhook.ts';
import { type IngestProcess, startIngest } from '../harness/ingest-process.ts';
import { createTenant } from '../harness/tenant.ts';

type Json = Record<string, unknown>;

let nowMs = () => START_MS;
const gateway = useGateway({ nowMs: () => nowMs() });
const api = useClockedApi(() => gateway().env);

let ingest: IngestProcess | undefined;
let inbox: RunningInbox | undefined;

const webhookSecret = newSecret();
const abandonedSecret = newSecret();

/** Creates the account again, without its earlier state. */
async function setAccount(webhookVersion: string): Promise<void> {
  await gateway().control('accounts', {
    clientId: PLATFORM_CLIENT_ID,
    clientSecret: PLATFORM_CLIENT_SECRET,
    webhookUrl: `${ingest!.url}${WEBHOOK_PATH}`,
    webhookSecret,
    abandonedSecret,
    webhookVersion,
  });
}

beforeAll(async () => {
  const { deps, ownerUrl } = api();
  nowMs = () => deps.clock.nowMs();
  ingest = await startIngest({
    env: {
      DATABASE_URL: ownerUrl,
      DATABASE_SYSTEM_URL: deps.config.databaseUrls.system,
      GATEWAY_WEBHOOK_SECRET: webhookSecret,
      GATEWAY_ABANDONED_CHECKOUT_SECRET: abandonedSecret,
    },
  });
  await setAccount('2025-01-01');
  inbox = startGatewayInbox(deps);
});

afterAll(async () => {
  await inbox?.stop();
  await ingest?.stop();
});

async function walletOf(caller: Caller): Promise<Json> {
  const answer = await caller.get('/api/v1/referrals/wallet');
  expect(answer.status, answer.text).toBe(200);
  return answer.json();
}

async function expectWallet(caller: Caller, expected: Json): Promise<void> {
  await eventually(async () => expect(await walletOf(caller)).toMatchObject(expected));
}

test('the lifecycle of a bill at the gateway', async () => {
  const program = await programOf(api());
  const partner = await program.referrer();
  const customer = await program.referee(partner);

  const created = await program.admin.mutate('billingLinkCreate', 'gatewayLink { linkId url }', {
    input: {
      organizationId: organizationNode(customer),
      amount: '10000',
      purpose: 'Invoice 1',
      customer: { phone: '9999999999' },
    },
    key: 'invoice-1',
  });
  expect(created.userErrors).toEqual([]);
  const { linkId } = created.gatewayLink as Record<string, string>;

  // Failed and abandoned payments earn no reward.
  await gateway().control(`links/${linkId}/fail`);
  await gateway().control(`links/${linkId}/drop`);
  const payment = await gateway().control(`links/${linkId}/pay`);
  await expectWallet(partner, { credits_pending: 1000, credits_balance: 0 });
  await eventually(async () => {
    const { billingLinks } = await program.admin.graph(
      '{ billingLinks(first: 5) { nodes { status amountPaid { amount } } } }',
    );
    expect(billingLinks).toEqual({
      nodes: [{ status: 'PAID', amountPaid: { amount: '10000.00' } }],
    });
  });

  api().setClock('2026-02-09T02:00:00Z');
  await api().runJob(releaseCredits);
  await expectWallet(partner, { credits_pending: 0, credits_balance: 1000 });

  await program.registerInvoice(partner, 'INV-1', '1200');
  const redeemed = await partner.post('/api/v1/referrals/credits/redeem', {
    invoice_id: 'INV-1',
    invoice_total: 1200,
    requested_amount: 600,
  });
  expect(redeemed.status, redeemed.text).toBe(200);

  const { disputeId } = await gateway().control(`payments/${payment.cfPaymentId}/dispute`, {
    type: 'CHARGEBACK',
  });
  await expectWallet(partner, { credits_balance: 0, debt: 600 });
  await gateway().control(`disputes/${disputeId}/move`, { to: 'MERCHANT_WON' });
  await expectWallet(partner, { credits_balance: 400, debt: 0 });

  const { reconciliation, platformGatewayEvents } = await program.admin.graph(
    `{ reconciliation { check subject }
       platformGatewayEvents(first: 100, state: PROCESSED) { nodes { type effects workspaceId } } }`,
  );
  expect(reconciliation).toEqual([]);
  const { nodes } = platformGatewayEvents as { nodes: Json[] };
  expect(nodes.flatMap(({ effects }) => effects as string[]).toSorted()).toEqual([
    'dispute.created',
    'dispute.won',
    'payment.dropped',
    'payment.failed',
    'payment.succeeded',
    'payment_link.abandoned',
    'payment_link.paid',
  ]);
  // Tenants receive no events about the platform's own bills.
  expect(nodes.map(({ workspaceId }) => workspaceId)).toEqual(nodes.map(() => null));
});

/** Each event arrives three times, in reverse order. Neither may change the result. */
test.each(['2023-08-01', '2025-01-01', '2026-01-01'])(
  'a workspace’s mandate, with events in version %s, repeated and in reverse order',
  async version => {
    await setAccount(version);
    const { organizationId } = await createTenant({ databaseUrl: api().ownerUrl });
    const owner = await api().caller(organizationId);
    const make = async (noun: string, shown: string, input: Json) => {
      const payload = await owner.mutate(`${noun}Create`, `${noun} { ${shown} }`, {
        input,
        key: noun,
      });
      expect(payload.userErrors, JSON.stringify(payload)).toEqual([]);
      return payload[noun] as Record<string, string>;
    };
    const { id: planId } = await make('gatewayPlan', 'id', PLAN_INPUT);
    const { subscriptionId, mandateAuthorizationUrl } = await make(
      'gatewaySubscription',
      'subscriptionId mandateAuthorizationUrl',
      subscriptionInput(planId!),
    );
    expect(mandateAuthorizationUrl).toContain(subscriptionId);

    await gateway().control('webhooks/manner', { copies: '3', isHeld: true });
    const steps = [
      ['authorize', {}],
      ['renew', { isFailed: true }],
      ['renew', { isFailed: true }],
      ['renew', {}],
      ['remind-of-card-expiry', { expiresOn: '2026-03-12' }],
    ] as const;
    for (const [index, [what, input]] of steps.entries()) {
      api().setClock(`2026-03-0${index + 1}T09:00:00Z`);
      await gateway().control(`subscriptions/${subscriptionId}/${what}`, input);
    }
    await gateway().control('webhooks/manner', { copies: '1', isHeld: false });
    await gateway().control('webhooks/release', { isReversed: true });

    await eventually(async () => {
      const { gatewayEffects, gatewaySubscriptions } = await owner.graph(
        `{ gatewayEffects(first: 50) { nodes { name } }
         gatewaySubscriptions(first: 1) { nodes { status } } }`,
      );
      const { nodes } = gatewayEffects as { nodes: { name: string }[] };
      expect(nodes.map(({ name }) => name).toSorted()).toEqual([
        'mandate.activated',
        'mandate.authorized',
        'subscription.activated',
        'subscription.activated',
        'subscription.card_expiring',
        'subscription.on_hold',
        'subscription.renewal_failed',
        'subscription.renewal_failed',
        'subscription.renewal_succeeded',
      ]);
      expect(gatewaySubscriptions).toEqual({ nodes: [{ status: 'ACTIVE' }] });
    });
    expect(await walletOf(owner)).toMatchObject({ credits_earned: 0, cash_earned: 0 });
  },
);
