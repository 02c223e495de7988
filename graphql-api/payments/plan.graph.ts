import type { ObjectRef } from '@pothos/core';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { MoneyRef } from '../platform/graph/money.ts';
import { mutation } from '../platform/graph/mutation.ts';
import { FAULT_CODES } from './client/reject-fault.ts';
import { gatewayPlans } from './object.reads.ts';
import { gatewayPlanCreate } from './plan.actions.ts';
import { gatewayPlanCreateContract, PLAN_INTERVALS } from './plan.contract.ts';
import { GatewayPlan } from './plan.entity.ts';
import { listOf, ORIGIN, rowFields } from './values.graph.ts';

const planById = loaderById(gatewayPlans.byIds);

const PlanTypeEnum = builder.enumType('GatewayPlanType', {
  description: 'When subscriptions of a plan are charged.',
  values: {
    PERIODIC: { description: 'The recurring amount, after each interval.' },
    ON_DEMAND: { description: 'When the merchant asks for it, up to the maximum.' },
  },
});

const IntervalEnum = builder.enumType('GatewayPlanInterval', {
  description: 'The unit of a plan’s interval.',
  values: Object.fromEntries(
    PLAN_INTERVALS.map(name => [name, { description: `A ${name.toLowerCase()}.` }]),
  ) as Record<(typeof PLAN_INTERVALS)[number], { description: string }>,
});

const GatewayPlanRef: ObjectRef<SchemaTypes, GatewayPlan> = builder.node(GatewayPlan, {
  name: 'GatewayPlan',
  description: 'What subscriptions are charged, and how often.',
  authScopes: { member: true },
  id: { resolve: plan => plan.id },
  loadOne: (id, graph) => planById(graph, id),
  fields: t => ({
    ...rowFields(t),
    planId: t.exposeString('planId', { nullable: false, description: 'The id that we gave it.' }),
    name: t.exposeString('name', { nullable: false, description: 'Its name.' }),
    type: t.exposeString('type', { nullable: false, description: 'PERIODIC or ON_DEMAND.' }),
    maxAmount: t.field({
      type: MoneyRef,
      nullable: false,
      description: 'The most of one charge.',
      resolve: plan => ({ amountMinor: plan.maxAmountMinor, currencyCode: plan.currency }),
    }),
    recurringAmount: t.field({
      type: MoneyRef,
      description: 'Of each charge; null for a plan on demand.',
      resolve: ({ recurringAmountMinor, currency }) =>
        recurringAmountMinor == null
          ? null
          : { amountMinor: recurringAmountMinor, currencyCode: currency },
    }),
    interval: t.exposeString('intervalType', { description: 'DAY, WEEK, MONTH or YEAR.' }),
    intervals: t.exposeInt('intervals', { description: 'So many of them between charges.' }),
    maxCycles: t.exposeInt('maxCycles', { description: 'So many charges; null is no end.' }),
    note: t.exposeString('note', { description: 'The note, as it was sent.' }),
  }),
});

listOf({
  name: 'gatewayPlans',
  typeName: 'GatewayPlan',
  ref: GatewayPlanRef,
  description: 'The plans of the viewer’s workspace.',
  page: gatewayPlans.page,
});

mutation({
  name: 'gatewayPlanCreate',
  description: `Makes a plan for subscriptions. ${ORIGIN}`,
  access: 'owner',
  idempotency: 'required',
  input: t => ({
    name: t.string({ required: true, description: 'Its name, of at most 40 characters.' }),
    type: t.field({ type: PlanTypeEnum, required: true, description: 'When it is charged.' }),
    currency: t.field({ type: 'CurrencyCode', description: 'Its currency; INR unless said.' }),
    maxAmount: t.field({ type: 'Decimal', required: true, description: 'The most of a charge.' }),
    recurringAmount: t.field({ type: 'Decimal', description: 'Of each periodic charge.' }),
    interval: t.field({ type: IntervalEnum, description: 'Between periodic charges.' }),
    intervals: t.int({ description: 'So many of them, between periodic charges.' }),
    maxCycles: t.int({ description: 'So many charges; left out, it has no end.' }),
    note: t.string({ description: 'A note, of at least 3 characters.' }),
  }),
  contract: gatewayPlanCreateContract,
  codes: [...FAULT_CODES, 'IDEMPOTENCY_KEY_MISMATCH'],
  process: gatewayPlanCreate,
  payload: t => ({
    gatewayPlan: t.field({
      type: GatewayPlanRef,
      description: 'The plan.',
      resolve: ({ result }, _args, graph) => result && planById(graph, result.id),
    }),
  }),
});
