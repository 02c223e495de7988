import type { GatewayFact } from '../facts/facts.ts';
import { applyDispute } from './apply-dispute.ts';
import { applyAbandoned, applyLink } from './apply-link.ts';
import { applyOrder } from './apply-order.ts';
import { applyPayment } from './apply-payment.ts';
import { applyPlan } from './apply-plan.ts';
import { applyRefund } from './apply-refund.ts';
import type { Applied, ApplyScope } from './apply-scope.ts';
import { applySettlement } from './apply-settlement.ts';
import { applySubscription, applySubscriptionNotice } from './apply-subscription.ts';
import { applyVendor } from './apply-vendor.ts';

/** Applies a fact and records its effects, each once. Runs as the system role. */
export function applyFact(scope: ApplyScope, fact: GatewayFact): Promise<Applied> {
  switch (fact.kind) {
    case 'payment':
      return applyPayment(scope, fact);
    case 'refund':
      return applyRefund(scope, fact);
    case 'link':
      return applyLink(scope, fact);
    case 'order':
      return applyOrder(scope, fact);
    case 'subscription':
      return applySubscription(scope, fact);
    case 'plan':
      return applyPlan(scope, fact);
    case 'dispute':
      return applyDispute(scope, fact);
    case 'vendor':
      return applyVendor(scope, fact);
    case 'settlement':
      return applySettlement(scope, fact);
    case 'notice':
      return fact.about === 'link'
        ? applyAbandoned(scope, fact)
        : applySubscriptionNotice(scope, fact);
  }
}
