// The GraphQL schema. Each noun adds its types to the builder when imported.

import '../campaigns/campaign.mutations.ts';
import '../campaigns/campaign-preview.graph.ts';
import '../campaigns/campaign.graph.ts';
import '../contacts/contact.mutations.ts';
import '../contacts/contact.graph.ts';
import '../tenancy/analyst-login.graph.ts';
import '../tenancy/organization.graph.ts';
import '../tenancy/organization-life.graph.ts';
import '../tenancy/platform-organization.graph.ts';
import '../tenancy/sdk-key.graph.ts';
import '../tenancy/subject.graph.ts';
import '../tenancy/viewer.graph.ts';
import '../tenancy/workspace.graph.ts';
import '../tenancy/audit-entry.graph.ts';
import '../tenancy/cell.graph.ts';
import '../tenancy/property.graph.ts';
import '../platform/graph/dead-letter.graph.ts';
import '../platform/graph/outbox-row.graph.ts';
import '../events/replay/replay.graph.ts';
import '../payments/credentials.graph.ts';
import '../payments/dispute.graph.ts';
import '../payments/effect.graph.ts';
import '../payments/gateway-event.graph.ts';
import '../payments/payment.graph.ts';
import '../payments/payment-totals.graph.ts';
import '../payments/settlement.graph.ts';
import '../payments/link.graph.ts';
import '../payments/order.graph.ts';
import '../payments/plan.graph.ts';
import '../payments/refund.graph.ts';
import '../payments/subscription.graph.ts';
import '../payments/vendor.graph.ts';
import '../partner/affiliate.graph.ts';
import '../partner/agency.graph.ts';
import '../partner/deal.graph.ts';
import '../partner/deal.mutations.ts';
import '../partner/certificate.graph.ts';
import '../partner/kyc.graph.ts';
import '../partner/bookkeeping.graph.ts';
import '../partner/earning.graph.ts';
import '../partner/payout-preview.graph.ts';
import '../partner/payout.graph.ts';
import '../partner/program-terms.graph.ts';
import '../partner/redemption.graph.ts';
import '../partner/referral.graph.ts';
import '../partner/review-queue.graph.ts';
import '../partner/transaction.graph.ts';
import '../partner/wallet.graph.ts';
import '../events/event-count.graph.ts';
import '../events/event.graph.ts';
import '../campaigns/answer.graph.ts';
import '../campaigns/funnel.graph.ts';
import '../campaigns/response.graph.ts';
import '../events/ingest-health.graph.ts';
import '../insights/funnel.graph.ts';
import '../insights/retention.graph.ts';
import '../insights/trend.graph.ts';
import '../exports/export.graph.ts';
import '../segments/segment.graph.ts';
import '../events/rejected-event.graph.ts';
import '../events/rejected-group.graph.ts';
import '../events/send.graph.ts';
import '../events/user-timeline.graph.ts';
import '../templates/catalog-entry.graph.ts';
import '../templates/template.mutations.ts';
import '../templates/version.graph.ts';
import '../templates/template.graph.ts';
import '../templates/trial.graph.ts';
import '../templates/version-standing.graph.ts';
import '../templates/approval/alert.graph.ts';
import '../templates/approval/approval.graph.ts';
import '../templates/approval/review.graph.ts';
import '../events/ingest-node.graph.ts';
import '../journeys/enrolment.graph.ts';
import '../journeys/journey.graph.ts';
import '../journeys/rollout.graph.ts';
import '../events/live.graph.ts';
import '../privacy/person.graph.ts';
import '../privacy/person-erasure.graph.ts';
import '../privacy/retention-rule.graph.ts';
import '../webhooks/delivery.graph.ts';
import '../webhooks/endpoint.mutations.ts';
import '../webhooks/endpoint.graph.ts';
import '../webhooks/event-type.graph.ts';
import '../webhooks/replay.graph.ts';
import '../platform/graph/money.ts';
import {
  type GraphQLSchema,
  lexicographicSortSchema,
  printSchema,
  specifiedDirectives,
} from 'graphql';
import { placesWithoutRule } from '../platform/graph/access-rules.ts';
import { builder } from '../platform/graph/builder.ts';
import { idempotentDirective } from '../platform/graph/idempotent-directive.ts';
import { contractMismatches } from '../platform/graph/mutation.ts';

export const schema: GraphQLSchema = build();

/** The content of schema.graphql. */
export function printedSchema(): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}

function build(): GraphQLSchema {
  const built = builder.toSchema({
    directives: [...specifiedDirectives, idempotentDirective],
    sortSchema: false,
  });
  const faults = [
    ...placesWithoutRule(built).map(place => `${place} has no access rule (authScopes)`),
    ...contractMismatches(built),
  ];
  if (faults.length > 0) throw new Error(`The schema is invalid.\n  ${faults.join('\n  ')}`);
  return built;
}
