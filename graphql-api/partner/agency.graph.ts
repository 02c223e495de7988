import { builder } from '../platform/graph/builder.ts';
import { loaderBy } from '../platform/graph/loader.ts';
import { MoneyRef } from '../platform/graph/money.ts';
import { mutation } from '../platform/graph/mutation.ts';
import { encodeNodeId } from '../platform/graph/node-id.ts';
import { OrganizationRef } from '../tenancy/organization.graph.ts';
import { agencyAppoint } from './agency.appoint.ts';
import { agencyAppointContract } from './agency.contract.ts';
import type { AgencyProfile } from './agency.entity.ts';
import { agencyProfilesByIds } from './agency.reads.ts';
import { type AgencyDashboard, agencyDashboard } from './agency-dashboard.reads.ts';
import { AgencyDealRef } from './deal.graph.ts';
import { DEAL_STATUSES } from './deal.resource.ts';

const agencyById = loaderBy(agencyProfilesByIds, ({ organizationId }) => organizationId);

const DealCountsRef = builder.objectRef<AgencyDashboard['counts']>('AgencyDealCounts').implement({
  description: 'How many deals stand how.',
  authScopes: { member: true },
  fields: t =>
    Object.fromEntries(
      DEAL_STATUSES.map(status => [
        status.toLowerCase().replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
        t.int({
          nullable: false,
          description: `How many are ${status}.`,
          resolve: counts => counts[status],
        }),
      ]),
    ),
});

const AgencyDashboardRef = builder.objectRef<AgencyDashboard>('AgencyDashboard').implement({
  description: 'An agency’s deals at a glance.',
  authScopes: { member: true },
  fields: t => ({
    dealCounts: t.field({
      type: DealCountsRef,
      nullable: false,
      description: 'How many deals stand how.',
      resolve: ({ counts }) => counts,
    }),
    estimatedValue: t.field({
      type: MoneyRef,
      nullable: false,
      description: 'What the open deals are expected to come to.',
      resolve: ({ estimatedMinor, currency }) => ({
        amountMinor: estimatedMinor,
        currencyCode: currency,
      }),
    }),
    actualValue: t.field({
      type: MoneyRef,
      nullable: false,
      description: 'What the won ones came to.',
      resolve: ({ actualMinor, currency }) => ({
        amountMinor: actualMinor,
        currencyCode: currency,
      }),
    }),
    winRate: t.exposeFloat('winRate', {
      nullable: false,
      description: 'The won ones’ part of the won and lost ones; 0 when there are none.',
    }),
    recentDeals: t.field({
      type: [AgencyDealRef],
      nullable: false,
      description: 'At most 20, newest first.',
      complexity: { field: 1, multiplier: 20 },
      resolve: ({ recentDeals }) => [...recentDeals],
    }),
  }),
});

builder.queryField('agencyDashboard', t =>
  t.field({
    type: AgencyDashboardRef,
    description: 'The deals of the viewer’s agency at a glance; NOT_AGENCY for others.',
    authScopes: { member: true },
    resolve: (_root, _args, { context }) => agencyDashboard(context),
  }),
);

const AgencyRef = builder.objectRef<AgencyProfile>('Agency').implement({
  description: 'What is recorded of an agency.',
  authScopes: { platformAdmin: true },
  fields: t => ({
    organizationId: t.id({
      nullable: false,
      description: 'The organisation.',
      resolve: ({ organizationId }) => encodeNodeId('Organization', organizationId),
    }),
    domain: t.exposeString('domain', { description: 'Its own domain, which is no prospect.' }),
    agreementSignedAt: t.expose('agreementSignedAt', {
      type: 'DateTime',
      description: 'When it signed the reseller agreement; without it, it registers no deals.',
    }),
    agreementReference: t.exposeString('agreementReference', {
      description: 'Where that is filed.',
    }),
    appointedBy: t.exposeString('appointedBy', {
      nullable: false,
      description: 'Who made it an agency.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it was made one.',
    }),
  }),
});

mutation({
  name: 'agencyAppoint',
  description:
    'Makes an organisation an agency and records what it signed, for platform admins. Again, it changes what is recorded: what is left out stays, null removes it.',
  access: 'platformAdmin',
  target: OrganizationRef,
  input: t => ({
    domain: t.string({ description: 'Its own domain, which is no prospect.' }),
    agreementSignedAt: t.field({
      type: 'DateTime',
      description: 'When it signed the reseller agreement.',
    }),
    agreementReference: t.string({ description: 'Where that is filed.' }),
  }),
  contract: agencyAppointContract,
  codes: ['NOT_FOUND'],
  action: agencyAppoint,
  payload: t => ({
    agency: t.field({
      type: AgencyRef,
      description: 'The agency.',
      resolve: ({ result }, _args, graph) => result && agencyById(graph, result.id),
    }),
  }),
});
