import { mintId } from '../../schema/gateway/minted-id.ts';
import { type ExactJson, field, Pairs, textField } from '../../schema/values/exact-json.ts';
import type { Context } from '../platform/context.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { changeAtGateway } from './change-at-gateway.ts';
import type { GatewayRequest } from './client/gateway-client.ts';
import {
  amountMinorOf,
  customerOnWire,
  decimalAmount,
  returnTo,
  timeOf,
} from './client/wire-values.ts';
import { makeAtGateway } from './make-at-gateway.ts';
import { GatewayPlan } from './plan.entity.ts';
import {
  type GatewaySubscriptionCreate,
  type GatewaySubscriptionManage,
  MANDATE_METHODS,
} from './subscription.contract.ts';
import { GatewaySubscription } from './subscription.entity.ts';
import { WORKSPACE_TAG } from './tags.contract.ts';

const ENDED = new Set([
  'CREATING',
  'REFUSED',
  'CANCELLED',
  'CUSTOMER_CANCELLED',
  'COMPLETED',
  'EXPIRED',
  'LINK_EXPIRED',
]);

const AFTER: Readonly<Record<GatewaySubscriptionManage['action'], string>> = {
  CANCEL: 'CANCELLED',
  PAUSE: 'PAUSED',
  ACTIVATE: 'ACTIVE',
};

export function gatewaySubscriptionManage(
  context: Context,
  { id, action, nextChargeAt }: GatewaySubscriptionManage,
) {
  return changeAtGateway(context, {
    entity: GatewaySubscription,
    action: `gateway_subscription.${action.toLowerCase()}`,
    id,
    isDone: ({ status }) => status === AFTER[action],
    require: ({ status }) =>
      ENDED.has(status) ? `The subscription is ${status} and cannot be changed.` : undefined,
    request: ({ subscriptionId }) => ({
      method: 'POST',
      path: ['subscriptions', subscriptionId, 'manage'],
      call: 'subscriptions',
      body: {
        subscription_id: subscriptionId,
        action,
        action_details:
          nextChargeAt == null ? undefined : { next_scheduled_time: nextChargeAt.toISOString() },
      },
    }),
    read: body => ({
      status: textField(body, 'subscription_status') ?? AFTER[action],
      ...(nextChargeAt != null && { nextChargeAt }),
    }),
  });
}

export const gatewaySubscriptionCreate = makeAtGateway<
  GatewaySubscription,
  GatewaySubscriptionCreate
>({
  entity: GatewaySubscription,
  noun: 'gateway_subscription',
  async draft(scope, input, { id, account }) {
    const workspaceId = scope.viewer.workspaceId!;
    const plan = await planOf(scope, input.planId, account.accountId);
    const subscriptionId = mintId('subscription', workspaceId, id);
    const { authorizationAmount, methods } = input;
    return {
      columns: {
        subscriptionId,
        planId: plan.planId,
        currency: plan.currency,
        authorizationAmountMinor:
          authorizationAmount == null
            ? null
            : amountMinorOf(authorizationAmount, plan.currency, 'authorizationAmount'),
        paymentMethods: [...new Set(methods)],
        firstChargeAt: input.firstChargeAt ?? null,
        expiresAt: input.expiresAt ?? null,
        tags: [[WORKSPACE_TAG, workspaceId], ...input.tags],
      },
      shown: { subscriptionId, planId: plan.planId, methods },
    };
  },
  create,
  look: ({ subscriptionId }) => ({
    method: 'GET',
    path: ['subscriptions', subscriptionId],
    call: 'subscriptions',
  }),
  read,
  isSame: (body, { planId }) => {
    const said = textField(field(body, 'plan_details'), 'plan_id');
    return said === undefined || said === planId;
  },
  isAnswered: ({ mandateAuthorizationUrl }) => mandateAuthorizationUrl != null,
});

async function planOf(
  { em, viewer }: ActionScope,
  id: string,
  accountId: string,
): Promise<GatewayPlan> {
  const where = { id, workspaceId: viewer.workspaceId!, accountId };
  const [plan] = await em.find(GatewayPlan, where);
  if (plan === undefined)
    return reject('NOT_FOUND', {
      field: ['planId'],
      message: 'No plan exists with this ID in the workspace.',
    });
  if (plan.status !== 'ACTIVE')
    return reject('GATEWAY_STATUS', {
      field: ['planId'],
      message: `The plan is ${plan.status}; only a plan that is ACTIVE accepts subscriptions.`,
    });
  return plan;
}

function create(row: GatewaySubscription, input: GatewaySubscriptionCreate): GatewayRequest {
  const { subscriptionId, authorizationAmountMinor, currency } = row;
  return {
    method: 'POST',
    path: ['subscriptions'],
    call: 'subscriptions',
    idempotencyKey: subscriptionId,
    body: {
      subscription_id: subscriptionId,
      customer_details: customerOnWire(input.customer),
      plan_details: { plan_id: row.planId },
      authorization_details: {
        authorization_amount: decimalAmount(authorizationAmountMinor ?? 0n, currency),
        payment_methods: row.paymentMethods.map(
          method => MANDATE_METHODS[method as keyof typeof MANDATE_METHODS],
        ),
      },
      subscription_meta: returnTo(input.returnUrl),
      subscription_first_charge_time: row.firstChargeAt?.toISOString(),
      subscription_expiry_time: row.expiresAt?.toISOString(),
      subscription_tags: new Pairs(row.tags),
    },
  };
}

/** Later statuses come from events only, so that each takes effect once. */
function read(body: ExactJson, row: GatewaySubscription) {
  return {
    status: 'INITIALIZED',
    cfId: textField(body, 'cf_subscription_id') ?? null,
    sessionId: textField(body, 'subscription_session_id') ?? null,
    mandateAuthorizationUrl: textField(body, 'mandate_authorization_url') ?? null,
    nextChargeAt: timeOf(body, 'next_schedule_date') ?? null,
    expiresAt: timeOf(body, 'subscription_expiry_time') ?? row.expiresAt ?? null,
  };
}
