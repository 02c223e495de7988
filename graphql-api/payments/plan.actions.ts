import { mintId } from '../../schema/gateway/minted-id.ts';
import { Decimal, textField } from '../../schema/values/exact-json.ts';
import type { GatewayRequest } from './client/gateway-client.ts';
import { amountMinorOf, decimalAmount, optionalAmount, saysAmount } from './client/wire-values.ts';
import { makeAtGateway } from './make-at-gateway.ts';
import type { GatewayPlanCreate } from './plan.contract.ts';
import { GatewayPlan } from './plan.entity.ts';

const NAMES = { amount: 'plan_max_amount', currency: 'plan_currency' };

export const gatewayPlanCreate = makeAtGateway<GatewayPlan, GatewayPlanCreate>({
  entity: GatewayPlan,
  noun: 'gateway_plan',
  async draft({ viewer }, input, { id }) {
    const { name, type, currency, maxAmount, recurringAmount } = input;
    const planId = mintId('plan', viewer.workspaceId!, id);
    return {
      columns: {
        planId,
        name,
        type,
        currency,
        maxAmountMinor: amountMinorOf(maxAmount, currency, 'maxAmount'),
        recurringAmountMinor:
          recurringAmount == null
            ? null
            : amountMinorOf(recurringAmount, currency, 'recurringAmount'),
        intervalType: input.interval ?? null,
        intervals: input.intervals ?? null,
        maxCycles: input.maxCycles ?? null,
        note: input.note ?? null,
      },
      shown: { planId, name, type, currency, maxAmount, recurringAmount: recurringAmount ?? null },
    };
  },
  create,
  look: ({ planId }) => ({ method: 'GET', path: ['plans', planId], call: 'subscriptions' }),
  read: body => ({ status: textField(body, 'plan_status') ?? 'ACTIVE' }),
  isSame: (body, { maxAmountMinor, currency }) =>
    saysAmount(body, NAMES, { amountMinor: maxAmountMinor, currency }),
});

function create(row: GatewayPlan): GatewayRequest {
  const { planId, currency, recurringAmountMinor, intervals, maxCycles } = row;
  return {
    method: 'POST',
    path: ['plans'],
    call: 'subscriptions',
    idempotencyKey: planId,
    body: {
      plan_id: planId,
      plan_name: row.name,
      plan_type: row.type,
      plan_currency: currency,
      plan_max_amount: decimalAmount(row.maxAmountMinor, currency),
      plan_recurring_amount: optionalAmount(recurringAmountMinor, currency),
      plan_interval_type: row.intervalType ?? undefined,
      plan_intervals: intervals == null ? undefined : new Decimal(String(intervals)),
      plan_max_cycles: maxCycles == null ? undefined : new Decimal(String(maxCycles)),
      plan_note: row.note ?? undefined,
    },
  };
}
