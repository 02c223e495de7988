// An API that calls the development gateway, and the objects that a tenant has created there.

import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { PLATFORM_ACCOUNT_ID } from '../../../schema/gateway/account.ts';
import { mintId } from '../../../schema/gateway/minted-id.ts';
import { derivedUuid } from '../../../schema/values/derived-uuid.ts';
import {
  currentGateway,
  PLATFORM_CLIENT_ID,
  PLATFORM_CLIENT_SECRET,
  type TestGateway,
  useGateway,
} from '../../harness/gateway.ts';
import { createTenant, sql, type Tenant } from '../../harness/tenant.ts';
import { type ApiProcess, startApi } from './api-process.ts';
import type { UserError } from './mutate.ts';
import { tokenFor } from './tokens.ts';

export type ApiWithGateway = {
  readonly api: () => ApiProcess;
  readonly gateway: () => TestGateway;
};

/** Starts both once for all tests of a file. */
export function useApiWithGateway(env: Readonly<Record<string, string>> = {}): ApiWithGateway {
  const gateway = useGateway();
  let api: ApiProcess | undefined;
  beforeAll(async () => {
    api = await startApi({ env: { ...gateway().env, ...env } });
  });
  afterEach(() => {
    if (!api?.isRunning()) throw new Error(`the API died:\n${api?.logs()}`);
  });
  afterAll(async () => {
    await api?.stop();
  });
  return {
    gateway,
    api: () => {
      if (api === undefined) throw new Error('the API starts in beforeAll; use it in tests only');
      return api;
    },
  };
}

/**
 * A tenant whose workspace has its own merchant account, so that faults injected by a test affect
 * no other test.
 */
export async function createMerchant({ api, gateway }: ApiWithGateway): Promise<Merchant> {
  const [tenant, account] = [await createTenant(), await gateway().addAccount()];
  const token = await tokenFor(tenant.organizationId);
  const { text } = await api().graphql(
    `mutation ($appId: String!, $secretKey: String!) {
      gatewayCredentialsSet(input: {
        onboarding: BYOM, mode: PRODUCTION, appId: $appId, secretKey: $secretKey
      }) { userErrors { message } }
    }`,
    { token, variables: { appId: account.clientId, secretKey: account.clientSecret } },
  );
  expect(text).toContain('"userErrors":[]');
  return { ...tenant, ...account };
}

export type Merchant = Tenant & { readonly clientId: string; readonly clientSecret: string };

export type Made<T> = {
  readonly made: T | null;
  readonly codes: readonly string[];
  readonly messages: readonly string[];
};

/** Calls a mutation that creates an object; checks nothing. */
export async function make<T = Record<string, string>>(
  api: ApiProcess,
  tenant: Tenant,
  name: string,
  input: Readonly<Record<string, unknown>>,
  {
    key = randomUUID(),
    shown = 'id status',
  }: { readonly key?: string; readonly shown?: string } = {},
): Promise<Made<T>> {
  const noun = name.replace(/Create$/, '');
  const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input!`;
  const answer = await api.graphql(
    `mutation ($input: ${type}, $key: String!) {
      ${name}(input: $input) @idempotent(key: $key) {
        ${noun === 'billingLink' ? 'gatewayLink' : noun} { ${shown} } userErrors { code message }
      }
    }`,
    { token: await tokenFor(tenant.organizationId), variables: { input, key } },
  );
  expect(answer.errors, answer.text).toBeUndefined();
  const payload = answer.data![name] as Record<string, unknown>;
  const userErrors = payload.userErrors as readonly UserError[];
  return {
    made: payload[noun] as T | null,
    codes: userErrors.map(({ code }) => code),
    messages: userErrors.map(({ message }) => message),
  };
}

export const LINK_INPUT = {
  amount: '170.50',
  purpose: 'An order from the chat',
  customer: { phone: '9999999999' },
};
export const ORDER_INPUT = { amount: '170.50', customer: { id: 'shopper-1', phone: '9999999999' } };
export const PLAN_INPUT = {
  name: 'Gold',
  type: 'PERIODIC',
  maxAmount: '999',
  recurringAmount: '499.00',
  interval: 'MONTH',
  intervals: 1,
};
export const VENDOR_INPUT = {
  name: 'Asha Textiles',
  email: 'asha@example.com',
  phone: '9999999999',
  businessType: 'Miscellaneous',
  accountType: 'INDIVIDUAL',
  pan: 'AAAPA1234A',
  upi: { vpa: 'asha@bank', accountHolder: 'Asha Rao' },
};
const CUSTOMER = { phone: '9999999999', email: 'buyer@example.com' };

export function subscriptionInput(planNodeId: string) {
  return { planId: planNodeId, customer: CUSTOMER, methods: ['UPI_AUTOPAY'] };
}

export type GatewayNoun = 'Link' | 'Order' | 'Plan' | 'Subscription' | 'Vendor' | 'Refund';

/** IDs derived from the tenant's, for the tests that walk the schema. */
export function gatewayIdOf(noun: GatewayNoun): (tenant: Tenant) => string {
  return ({ workspaceId }) => derivedUuid(`gateway ${noun} of a test`, workspaceId);
}

export function gatewayPaymentIdOf({ workspaceId }: Tenant): string {
  return `payment-of-${workspaceId}`;
}

/** One object of each kind, as if created earlier. The gateway does not know them. */
export async function furnishGateway(tenant: Tenant): Promise<void> {
  const { workspaceId } = tenant;
  const columns = (noun: GatewayNoun) => [
    gatewayIdOf(noun)(tenant),
    PLATFORM_ACCOUNT_ID,
    workspaceId,
    mintId(noun.toLowerCase() as Lowercase<GatewayNoun>, workspaceId, gatewayIdOf(noun)(tenant)),
  ];
  await sql(
    `INSERT INTO gateway_links (id, account_id, workspace_id, link_id, status, purpose, amount_minor, currency)
     VALUES ($1, $2, $3, $4, 'ACTIVE', 'An order', 10000, 'INR')`,
    columns('Link'),
  );
  await sql(
    `INSERT INTO gateway_orders (id, account_id, workspace_id, order_id, status, amount_minor, currency)
     VALUES ($1, $2, $3, $4, 'ACTIVE', 10000, 'INR')`,
    columns('Order'),
  );
  await sql(
    `INSERT INTO gateway_plans
       (id, account_id, workspace_id, plan_id, status, name, type, currency, max_amount_minor)
     VALUES ($1, $2, $3, $4, 'ACTIVE', 'Gold', 'ON_DEMAND', 'INR', 10000)`,
    columns('Plan'),
  );
  await sql(
    `INSERT INTO gateway_subscriptions
       (id, account_id, workspace_id, subscription_id, plan_id, status, currency)
     VALUES ($1, $2, $3, $4, 'gold', 'ACTIVE', 'INR')`,
    columns('Subscription'),
  );
  await sql(
    `INSERT INTO gateway_vendors (id, account_id, workspace_id, vendor_id, status, name,
       business_type, account_type, receives_by, receiver_mask)
     VALUES ($1, $2, $3, $4, 'ACTIVE', 'Asha', 'Miscellaneous', 'INDIVIDUAL', 'UPI', '…@bank')`,
    columns('Vendor'),
  );
  await sql(
    `INSERT INTO gateway_refunds
       (id, account_id, workspace_id, refund_id, status, amount_minor, currency)
     VALUES ($1, $2, $3, $4, 'SUCCESS', 100, 'INR')`,
    columns('Refund'),
  );
}

export type PaymentOptions = {
  readonly accountId: string;
  readonly cfPaymentId: string;
  readonly amountMinor: bigint;
  readonly orderId?: string;
  readonly subscriptionId?: string;
  readonly method?: string;
};

/** Records a payment like a gateway event would. */
export async function recordPayment(
  { workspaceId }: Tenant,
  { accountId, cfPaymentId, amountMinor, orderId, subscriptionId, method }: PaymentOptions,
): Promise<void> {
  await sql(
    `INSERT INTO gateway_payments (id, account_id, workspace_id, cf_payment_id, kind, status,
       amount_minor, currency, order_id, subscription_id, method)
     VALUES ($1, $2, $3, $4, $5, 'SUCCESS', $6, 'INR', $7, $8, $9)`,
    [
      uuidv7(),
      accountId,
      workspaceId,
      cfPaymentId,
      subscriptionId === undefined ? 'ONE_TIME' : 'RENEWAL',
      amountMinor,
      orderId ?? null,
      subscriptionId ?? null,
      method ?? null,
    ],
  );
}

/** Creates the same objects at the gateway, with a paid order; returns the ID of the payment. */
export async function atGateway(tenant: Tenant): Promise<string> {
  const gateway = currentGateway();
  const idOf = (noun: GatewayNoun) =>
    mintId(
      noun.toLowerCase() as Lowercase<GatewayNoun>,
      tenant.workspaceId,
      gatewayIdOf(noun)(tenant),
    );
  const post = async (path: string, body: Readonly<Record<string, unknown>>) => {
    const response = await fetch(`${gateway.baseUrl}${path}`, {
      method: 'POST',
      headers: {
        'x-client-id': PLATFORM_CLIENT_ID,
        'x-client-secret': PLATFORM_CLIENT_SECRET,
        'x-api-version': '2025-01-01',
      },
      body: JSON.stringify(body),
    });
    expect(response.status, `${path}: ${await response.text()}`).toBe(200);
  };
  const customer_details = {
    customer_id: 'shopper',
    customer_phone: '9999999999',
    customer_email: 'a@b.in',
  };
  const money = {
    link_amount: 100,
    link_currency: 'INR',
    order_amount: 100,
    order_currency: 'INR',
  };
  await post('/links', {
    link_id: idOf('Link'),
    link_purpose: 'An order',
    customer_details,
    ...money,
  });
  await post('/orders', { order_id: idOf('Order'), customer_details, ...money });
  await post('/plans', {
    plan_id: idOf('Plan'),
    plan_name: 'Gold',
    plan_type: 'ON_DEMAND',
    plan_max_amount: 100,
  });
  await post('/subscriptions', {
    subscription_id: idOf('Subscription'),
    plan_details: { plan_id: idOf('Plan') },
    customer_details,
  });
  await post('/easy-split/vendors', {
    vendor_id: idOf('Vendor'),
    name: 'Asha',
    email: 'a@b.in',
    phone: '9999999999',
    upi: { vpa: 'asha@bank' },
    vendor_capabilities: ['UPI'],
    kyc_details: { business_type: 'Miscellaneous', pan: 'AAAPA1234A' },
  });
  await gateway.control(`vendors/${idOf('Vendor')}/status`, { status: 'ACTIVE' });
  const paid = await gateway.control(`orders/${idOf('Order')}/pay`);
  const cfPaymentId = paid.cfPaymentId!;
  await recordPayment(tenant, {
    accountId: PLATFORM_ACCOUNT_ID,
    cfPaymentId,
    amountMinor: 10_000n,
    orderId: idOf('Order'),
  });
  return cfPaymentId;
}
