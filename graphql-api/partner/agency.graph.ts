import { builder } from '../platform/graph/builder.ts';
import { expose, globalId, memberObject } from '../platform/graph/fields.ts';
import { loaderBy } from '../platform/graph/loader.ts';
import { money } from '../platform/graph/money.ts';
import { changedObject, mutation } from '../platform/graph/mutation.ts';
import { OrganizationRef } from '../tenancy/organization.graph.ts';
import { agencyAppoint } from './agency.appoint.ts';
import { agencyAppointContract, DEAL_STATUSES } from './agency.contract.ts';
import type { AgencyProfile } from './agency.entity.ts';
import { type AgencyDashboard, agencyDashboard, agencyProfilesByIds } from './agency.reads.ts';
import { AgencyDealRef } from './deal.graph.ts';

const agencyById = loaderBy(agencyProfilesByIds, ({ organizationId }) => organizationId);

const DealCountsRef = memberObject<AgencyDashboard['counts']>('AgencyDealCounts', {
  description: 'The number of an agency’s deals in each status.',
  fields: t =>
    Object.fromEntries(
      DEAL_STATUSES.map(status => [
        status.toLowerCase().replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
        t.int({
          nullable: false,
          description: `The number of deals with the status \`${status}\`.`,
          resolve: counts => counts[status],
        }),
      ]),
    ),
});

const AgencyDashboardRef = memberObject<AgencyDashboard>('AgencyDashboard', {
  description: 'A summary of an agency’s deals.',
  fields: t => ({
    dealCounts: t.expose('counts', {
      type: DealCountsRef,
      nullable: false,
      description: 'The number of deals in each status.',
    }),
    estimatedValue: money(t, 'estimatedMinor', {
      description: 'The sum of the estimated values of all open deals.',
    }),
    actualValue: money(t, 'actualMinor', {
      description: 'The sum of the actual values of all won deals.',
    }),
    ...expose(t, 'Float!', {
      winRate:
        'The win rate: won deals ÷ (won deals + lost deals); 0 if no deal has been won or lost.',
    }),
    recentDeals: t.field({
      type: [AgencyDealRef],
      nullable: false,
      description: 'The 20 most recent deals, newest first.',
      complexity: { field: 1, multiplier: 20 },
      resolve: ({ recentDeals }) => [...recentDeals],
    }),
  }),
});

builder.queryField('agencyDashboard', t =>
  t.field({
    type: AgencyDashboardRef,
    description:
      'A summary of the deals registered by the viewer’s agency. Fails with `NOT_AGENCY` if the viewer’s organization is not an agency.',
    authScopes: { member: true },
    resolve: (_root, _args, { context }) => agencyDashboard(context),
  }),
);

const AgencyRef = builder.objectRef<AgencyProfile>('Agency').implement({
  description: 'An agency and its reseller agreement.',
  authScopes: { platformAdmin: true },
  fields: t => ({
    organizationId: globalId(t, 'organizationId', 'Organization', 'The ID of the organization.'),
    ...expose(t, 'String', {
      domain:
        'The agency’s own domain, for which it cannot register a deal; null if none is recorded.',
      agreementReference:
        'The reference under which the agreement is filed; null if none is recorded.',
    }),
    ...expose(t, 'DateTime', {
      agreementSignedAt:
        'When the reseller agreement was signed; null if it has not been signed. An agency cannot register deals before the agreement is signed.',
    }),
    ...expose(t, 'String!', {
      appointedBy: 'The ID of the platform admin who appointed the agency.',
    }),
    ...expose(t, 'DateTime!', {
      createdAt: 'When the organization was appointed as an agency.',
    }),
  }),
});

mutation({
  name: 'agencyAppoint',
  description:
    'Appoints an organization as an agency and records its reseller agreement. Platform admins only. If the organization is already an agency, this mutation updates the recorded values: omitted fields are unchanged, and null clears a field.',
  access: 'platformAdmin',
  target: OrganizationRef,
  input: t => ({
    domain: t.string({
      description: 'The agency’s own domain, for which it cannot register a deal.',
    }),
    agreementSignedAt: t.field({
      type: 'DateTime',
      description: 'When the reseller agreement was signed.',
    }),
    agreementReference: t.string({
      description: 'The reference under which the agreement is filed.',
    }),
  }),
  contract: agencyAppointContract,
  codes: ['NOT_FOUND'],
  action: agencyAppoint,
  payload: changedObject('agency', AgencyRef, agencyById, 'The agency.'),
});
