// Organisations as platform admins see them: what is theirs to set.

import { builder } from '../platform/graph/builder.ts';
import {
  connectionOfPage,
  connectionType,
  pageArgs,
  pageCost,
} from '../platform/graph/connection.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { mutation } from '../platform/graph/mutation.ts';
import { encodeNodeId } from '../platform/graph/node-id.ts';
import { ingressLimitSetContract } from './ingress-limit.contract.ts';
import { ingressLimitSet } from './ingress-limit.set.ts';
import type { Organization } from './organization.entity.ts';
import {
  platformIngressLimitsByIds,
  platformOrganizationsByIds,
  platformOrganizationsPage,
} from './organization.reads.ts';

const platformOrganizationById = loaderById(platformOrganizationsByIds);
const platformIngressLimitById = loaderById(platformIngressLimitsByIds);

/** No node: `node` shows organisations to those who belong to them. */
const PlatformOrganizationRef = builder.objectRef<Organization>('PlatformOrganization').implement({
  description: 'An organisation as platform admins see it.',
  authScopes: { platformAdmin: true },
  fields: t => ({
    id: t.id({
      nullable: false,
      description: 'The id of the Organization.',
      resolve: ({ id }) => encodeNodeId('Organization', id),
    }),
    name: t.exposeString('name', { nullable: false, description: 'What people call it.' }),
    ingressEventsPerMinute: t.int({
      description:
        'The ingress limit that holds: its own, else the default of its cells; null is unlimited.',
      resolve: async ({ id }, _args, graph) =>
        (await platformIngressLimitById(graph, id))?.eventsPerMinute ?? null,
    }),
    ownIngressEventsPerMinute: t.exposeInt('ingressEventsPerMinute', {
      description: 'The limit set for it alone; null where that of its cells holds.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it was made.',
    }),
  }),
});

const PlatformOrganizationConnection = connectionType(
  'PlatformOrganization',
  PlatformOrganizationRef,
);

builder.queryField('platformOrganizations', t =>
  t.field({
    type: PlatformOrganizationConnection,
    nullable: false,
    description: 'Every organisation, newest first, for platform admins.',
    authScopes: { platformAdmin: true },
    args: {
      ...pageArgs(t.arg),
      search: t.arg.string({ description: 'Part of the name, in upper or lower case.' }),
    },
    complexity: pageCost,
    resolve: async (_root, args, { context }) =>
      connectionOfPage(await platformOrganizationsPage(context, args, args), args),
  }),
);

mutation({
  name: 'ingressLimitSet',
  description:
    'Sets what all keys of an organisation may send in a minute, for platform admins; ingest follows within a second, and answers 429 beyond it.',
  access: 'platformAdmin',
  input: t => ({
    organizationId: t.globalID({ required: true, description: 'Which.' }),
    eventsPerMinute: t.int({
      description: 'Events in a minute; null is the default of its cells.',
    }),
  }),
  contract: ingressLimitSetContract,
  codes: ['NOT_FOUND'],
  action: ingressLimitSet,
  payload: t => ({
    organization: t.field({
      type: PlatformOrganizationRef,
      description: 'The organisation as it is now.',
      resolve: ({ result }, _args, graph) => result && platformOrganizationById(graph, result.id),
    }),
  }),
});
