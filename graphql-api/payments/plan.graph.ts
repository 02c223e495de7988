import type { ObjectRef } from '@pothos/core';
import type { SchemaTypes } from '../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { describedEnum } from '../platform/graph/described-enum.ts';
import { expose, memberNode } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { money } from '../platform/graph/money.ts';
import { changedObject, mutation } from '../platform/graph/mutation.ts';
import { FAULT_CODES } from './client/reject-fault.ts';
import { gatewayPlans } from './object.reads.ts';
import { gatewayPlanCreate } from './plan.actions.ts';
import { gatewayPlanCreateContract, type PLAN_INTERVALS } from './plan.contract.ts';
import type { GatewayPlan } from './plan.entity.ts';
import { ORIGIN, rowFields } from './values.graph.ts';

const planById = loaderById(gatewayPlans.byIds);

const PlanTypeEnum = describedEnum('GatewayPlanType', 'When customers are charged under a plan.', {
  PERIODIC: 'The customer is charged the recurring amount after each interval.',
  ON_DEMAND:
    'The customer is charged whenever the merchant requests it, up to the maximum amount each time.',
});

const IntervalEnum = describedEnum<(typeof PLAN_INTERVALS)[number]>(
  'GatewayPlanInterval',
  'The unit of a plan’s interval.',
  { DAY: 'A day.', WEEK: 'A week.', MONTH: 'A month.', YEAR: 'A year.' },
);

const GatewayPlanRef: ObjectRef<SchemaTypes, GatewayPlan> = memberNode('GatewayPlan', planById, {
  description: 'A plan that defines how customers are charged for subscriptions.',
  fields: t => ({
    ...rowFields(t, 'plan'),
    ...expose(t, 'String!', {
      planId: 'The plan ID sent to the payment gateway.',
      name: 'The name of the plan.',
      type: 'The type of the plan: PERIODIC or ON_DEMAND.',
    }),
    maxAmount: money(t, 'maxAmountMinor', { description: 'The maximum amount of a charge.' }),
    recurringAmount: money(t, 'recurringAmountMinor', {
      nullable: true,
      description: 'The amount of each charge; null for an ON_DEMAND plan.',
    }),
    interval: t.exposeString('intervalType', {
      description:
        'The unit of the interval between charges: DAY, WEEK, MONTH or YEAR; null for an ON_DEMAND plan.',
    }),
    ...expose(t, 'Int', {
      intervals: 'The number of interval units between charges; null for an ON_DEMAND plan.',
      maxCycles: 'The maximum number of charges; null if unlimited.',
    }),
    ...expose(t, 'String', {
      note: 'The note, as sent to the payment gateway; null if there is none.',
    }),
  }),
});

pageQuery('gatewayPlans', {
  type: connectionType('GatewayPlan', GatewayPlanRef),
  description: 'The plans in the viewer’s workspace.',
  page: gatewayPlans.page,
});

mutation({
  name: 'gatewayPlanCreate',
  description: `Creates a subscription plan. ${ORIGIN}`,
  access: 'owner',
  idempotency: 'required',
  input: t => ({
    name: t.string({ required: true, description: 'The name of the plan, at most 40 characters.' }),
    type: t.field({
      type: PlanTypeEnum,
      required: true,
      description: 'When customers are charged under the plan.',
    }),
    currency: t.field({ type: 'CurrencyCode', description: 'The currency. Defaults to INR.' }),
    maxAmount: t.field({
      type: 'Decimal',
      required: true,
      description: 'The maximum amount of a charge.',
    }),
    recurringAmount: t.field({
      type: 'Decimal',
      description: 'The amount of each charge of a PERIODIC plan.',
    }),
    interval: t.field({
      type: IntervalEnum,
      description: 'The unit of the interval between charges of a PERIODIC plan.',
    }),
    intervals: t.int({
      description: 'The number of interval units between charges of a PERIODIC plan.',
    }),
    maxCycles: t.int({ description: 'The maximum number of charges. Unlimited if omitted.' }),
    note: t.string({ description: 'A note of at least 3 characters.' }),
  }),
  contract: gatewayPlanCreateContract,
  codes: [...FAULT_CODES, 'IDEMPOTENCY_KEY_MISMATCH'],
  process: gatewayPlanCreate,
  payload: changedObject('gatewayPlan', GatewayPlanRef, planById, 'The plan.'),
});
