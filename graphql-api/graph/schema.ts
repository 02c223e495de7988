// The whole schema: every noun adds itself to the builder when imported here.

import './nouns/campaign-mutations.ts';
import './nouns/campaign-preview.ts';
import './nouns/campaigns.ts';
import './nouns/contact-mutations.ts';
import './nouns/contacts.ts';
import './nouns/organizations.ts';
import './nouns/platform-organizations.ts';
import './nouns/sdk-keys.ts';
import './nouns/viewer.ts';
import './nouns/workspaces.ts';
import './nouns/audit-entries.ts';
import './nouns/cells.ts';
import './nouns/properties.ts';
import './nouns/dead-letters.ts';
import './nouns/outbox-rows.ts';
import './nouns/rejected-events-replays.ts';
import './nouns/gateway-credentials.ts';
import './nouns/gateway/credentials-test.ts';
import './nouns/gateway/disputes.ts';
import './nouns/gateway/effects.ts';
import './nouns/gateway/events.ts';
import './nouns/gateway/payments.ts';
import './nouns/gateway/settlements.ts';
import './nouns/gateway/links.ts';
import './nouns/gateway/orders.ts';
import './nouns/gateway/plans.ts';
import './nouns/gateway/refunds.ts';
import './nouns/gateway/subscriptions.ts';
import './nouns/gateway/vendors.ts';
import './nouns/partner/affiliate-profile.ts';
import './nouns/partner/agencies.ts';
import './nouns/partner/agency-deals.ts';
import './nouns/partner/deal-mutations.ts';
import './nouns/partner/tax-certificates.ts';
import './nouns/partner/kyc-submissions.ts';
import './nouns/partner/bookkeeping.ts';
import './nouns/partner/earnings.ts';
import './nouns/partner/payout-preview.ts';
import './nouns/partner/payouts.ts';
import './nouns/partner/program-terms.ts';
import './nouns/partner/redemptions.ts';
import './nouns/partner/referrals.ts';
import './nouns/partner/transactions.ts';
import './nouns/partner/wallet.ts';
import './nouns/reports/event-counts.ts';
import './nouns/reports/events.ts';
import './nouns/reports/funnels.ts';
import './nouns/reports/ingest-health.ts';
import './nouns/reports/rejected-events.ts';
import './nouns/reports/sends.ts';
import './nouns/reports/user-timeline.ts';
import './nouns/template/catalog-entries.ts';
import './nouns/template/mutations.ts';
import './nouns/template/template-versions.ts';
import './nouns/template/templates.ts';
import './nouns/template/trial.ts';
import './nouns/template/version-standing.ts';
import './nouns/template-approval/alerts.ts';
import './nouns/template-approval/approvals.ts';
import './nouns/template-approval/reviews.ts';
import './nouns/ingest-nodes.ts';
import './nouns/journey/enrolment-mutations.ts';
import './nouns/journey/enrolments.ts';
import './nouns/journey/journey-mutations.ts';
import './nouns/journey/journeys.ts';
import './nouns/journey/rollouts.ts';
import './nouns/live.ts';
import './nouns/webhook/deliveries.ts';
import './nouns/webhook/endpoint-mutations.ts';
import './nouns/webhook/endpoints.ts';
import './nouns/webhook/event-types.ts';
import './nouns/webhook/replays.ts';
import './money.ts';
import {
  type GraphQLSchema,
  lexicographicSortSchema,
  printSchema,
  specifiedDirectives,
} from 'graphql';
import { builder } from './builder.ts';
import { placesWithoutRule } from './guards/access-rules.ts';
import { idempotentDirective } from './idempotent-directive.ts';
import { contractMismatches } from './mutation.ts';

export const schema: GraphQLSchema = build();

/** As committed in schema.graphql. */
export function printedSchema(): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}

function build(): GraphQLSchema {
  const built = builder.toSchema({
    directives: [...specifiedDirectives, idempotentDirective],
    sortSchema: false,
  });
  const faults = [
    ...placesWithoutRule(built).map(place => `${place} says not who may see it (authScopes)`),
    ...contractMismatches(built),
  ];
  if (faults.length > 0) throw new Error(`The schema is not sound.\n  ${faults.join('\n  ')}`);
  return built;
}
