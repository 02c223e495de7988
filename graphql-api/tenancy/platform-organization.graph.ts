// Organizations as seen and configured by platform admins.

import { builder } from '../platform/graph/builder.ts';
import {
  connectionOfPage,
  connectionType,
  pageArgs,
  pageCost,
} from '../platform/graph/connection.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { changed, mutation } from '../platform/graph/mutation.ts';
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

/** Not a node: `node` returns an organization only to its own members. */
const PlatformOrganizationRef = builder.objectRef<Organization>('PlatformOrganization').implement({
  description: 'An organization, as seen by platform admins.',
  authScopes: { platformAdmin: true },
  fields: t => ({
    id: t.id({
      nullable: false,
      description: 'The global ID of the organization.',
      resolve: ({ id }) => encodeNodeId('Organization', id),
    }),
    name: t.exposeString('name', { nullable: false, description: 'The name of the organization.' }),
    ingressEventsPerMinute: t.int({
      description:
        'The effective ingress limit in events per minute: the organization’s own limit, or the default of its cells; null if unlimited.',
      resolve: async ({ id }, _args, graph) =>
        (await platformIngressLimitById(graph, id))?.eventsPerMinute ?? null,
    }),
    ownIngressEventsPerMinute: t.exposeInt('ingressEventsPerMinute', {
      description:
        'The organization’s own ingress limit in events per minute; null if the default of its cells applies.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When the organization was created.',
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
    description: 'All organizations, newest first. Platform admins only.',
    authScopes: { platformAdmin: true },
    args: {
      ...pageArgs(t.arg),
      search: t.arg.string({ description: 'Filters by part of the name, ignoring case.' }),
    },
    complexity: pageCost,
    resolve: async (_root, args, { context }) =>
      connectionOfPage(await platformOrganizationsPage(context, args, args), args),
  }),
);

mutation({
  name: 'ingressLimitSet',
  description:
    'Sets the ingress limit of an organization, across all of its SDK keys. Ingest applies the limit within a second and returns 429 when it is exceeded. Platform admins only.',
  access: 'platformAdmin',
  input: t => ({
    organizationId: t.globalID({ required: true, description: 'The organization to limit.' }),
    eventsPerMinute: t.int({
      description:
        'The limit in events per minute; null applies the default of the organization’s cells.',
    }),
  }),
  contract: ingressLimitSetContract,
  codes: ['NOT_FOUND'],
  action: ingressLimitSet,
  payload: t => ({
    organization: changed(
      t,
      PlatformOrganizationRef,
      platformOrganizationById,
      'The updated organization.',
    ),
  }),
});
