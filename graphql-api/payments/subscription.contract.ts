import { z } from 'zod';
import { amountDecimal } from '../platform/amount.contract.ts';
import { gatewaySubscriber, moment, returnUrl } from './customer.contract.ts';
import { tags } from './tags.contract.ts';

/** The gateway's name of each mandate method. */
export const MANDATE_METHODS = {
  UPI_AUTOPAY: 'upi',
  ENACH: 'enach',
  PNACH: 'pnach',
  CARD: 'card',
} as const;
type MandateMethod = keyof typeof MANDATE_METHODS;

const METHOD_NAMES = Object.keys(MANDATE_METHODS) as [MandateMethod, ...MandateMethod[]];

/** A NACH mandate is authorized by a signature, without a payment. */
const NACH: readonly MandateMethod[] = ['ENACH', 'PNACH'];

export const gatewaySubscriptionCreateContract = z
  .strictObject({
    planId: z.uuid(),
    customer: gatewaySubscriber,
    methods: z.array(z.enum(METHOD_NAMES)).min(1).max(METHOD_NAMES.length),
    authorizationAmount: amountDecimal.nullish(),
    firstChargeAt: moment.nullish(),
    expiresAt: moment.nullish(),
    returnUrl: returnUrl.nullish(),
    tags,
  })
  .check(({ value, issues }) => {
    const isNach = value.methods.some(method => NACH.includes(method));
    if (!isNach || value.authorizationAmount == null) return;
    const message = 'must be omitted if a NACH method is offered.';
    issues.push({ code: 'custom', input: value, path: ['authorizationAmount'], message });
  });
export type GatewaySubscriptionCreate = z.output<typeof gatewaySubscriptionCreateContract>;

export const gatewaySubscriptionManageContract = z
  .strictObject({
    id: z.uuid(),
    action: z.enum(['CANCEL', 'PAUSE', 'ACTIVATE']),
    nextChargeAt: moment.nullish(),
  })
  .check(({ value, issues }) => {
    if ((value.action === 'ACTIVATE') === (value.nextChargeAt != null)) return;
    const message = 'is required for ACTIVATE and not allowed otherwise.';
    issues.push({ code: 'custom', input: value, path: ['nextChargeAt'], message });
  });
export type GatewaySubscriptionManage = z.output<typeof gatewaySubscriptionManageContract>;
