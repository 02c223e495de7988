// Organizations as seen and configured by platform admins.

import { escapeLike } from '../platform/database/escape-like.ts';
import { builder } from '../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { expose, globalId } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { changedObject, mutation } from '../platform/graph/mutation.ts';
import { ingressLimitSet, ingressLimitSetContract } from './organization.actions.ts';
import type { Organization } from './organization.entity.ts';
import { platformIngressLimitsByIds, platformOrganizations } from './organization.reads.ts';

export const platformOrganizationById = loaderById(platformOrganizations.byIds);
const platformIngressLimitById = loaderById(platformIngressLimitsByIds);

/** Not a node: `node` returns an organization only to its own members. */
export const PlatformOrganizationRef = builder
  .objectRef<Organization>('PlatformOrganization')
  .implement({
    description: 'An organization, as seen by platform admins.',
    authScopes: { platformAdmin: true },
    fields: t => ({
      id: globalId(t, 'id', 'Organization', 'The global ID of the organization.'),
      ...expose(t, 'String!', { name: 'The name of the organization.' }),
      ingressEventsPerMinute: t.int({
        description:
          'The effective ingress limit in events per minute: the organization’s own limit or, if it has none, the lowest default limit of its cells; null if unlimited.',
        resolve: async ({ id }, _args, graph) =>
          (await platformIngressLimitById(graph, id))?.eventsPerMinute ?? null,
      }),
      ownIngressEventsPerMinute: t.exposeInt('ingressEventsPerMinute', {
        description:
          'The organization’s own ingress limit in events per minute; null if the lowest default limit of its cells applies.',
      }),
      ...expose(t, 'DateTime!', { createdAt: 'When the organization was created.' }),
      ...expose(t, 'DateTime', {
        closedAt: 'When the organization was closed; null if it is open.',
        eraseAt:
          'When the personal data of the closed organization will be erased; null if the organization is open.',
        erasedAt:
          'When the personal data of the organization was erased; null if it has not been erased.',
      }),
    }),
  });

const PlatformOrganizationConnection = connectionType(
  'PlatformOrganization',
  PlatformOrganizationRef,
);

pageQuery('platformOrganizations', {
  type: PlatformOrganizationConnection,
  description: 'All organizations, newest first. Platform admins only.',
  access: 'platformAdmin',
  args: arg => ({
    search: arg.string({ description: 'Filters by part of the name, ignoring case.' }),
  }),
  page: (context, page, { search }) => {
    const where = search ? { name: { $ilike: `%${escapeLike(search)}%` } } : {};
    return platformOrganizations.page(context, page, where);
  },
});

mutation({
  name: 'ingressLimitSet',
  description:
    'Sets the ingress limit of an organization, which applies to all of its SDK keys combined. Ingest applies a new limit within a second and returns 429 when the limit is exceeded. Platform admins only.',
  access: 'platformAdmin',
  input: t => ({
    organizationId: t.globalID({
      required: true,
      description: 'The ID of the organization to limit.',
    }),
    eventsPerMinute: t.int({
      description:
        'The limit in events per minute. If null, the lowest default limit of the organization’s cells applies.',
    }),
  }),
  contract: ingressLimitSetContract,
  codes: ['NOT_FOUND'],
  action: ingressLimitSet,
  payload: changedObject(
    'organization',
    PlatformOrganizationRef,
    platformOrganizationById,
    'The updated organization.',
  ),
});
