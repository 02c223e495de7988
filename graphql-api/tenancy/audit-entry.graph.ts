import type { ArgBuilder, InputShapeFromFields } from '@pothos/core';
import type { AuditEntry } from '../platform/audit-entry.entity.ts';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import {
  connectionOfPage,
  connectionType,
  pageArgs,
  pageCost,
  pageQuery,
} from '../platform/graph/connection.ts';
import { expose, globalId } from '../platform/graph/fields.ts';
import { decodeNodeId, encodeNodeId, uuidOf } from '../platform/graph/node-id.ts';
import { reject } from '../platform/rejected.ts';
import {
  type AuditFilter,
  organizationAuditPage,
  platformAuditPage,
  workspaceAuditPage,
} from './audit-entry.reads.ts';
import { OrganizationRef } from './organization.graph.ts';

/** Entries need their own rule: they can show data that a member cannot see elsewhere. */
const READERS = { $any: { owner: true, platformAdmin: true } };

const AuditEntryRef = builder.objectRef<AuditEntry>('AuditEntry').implement({
  description:
    'An immutable entry in the audit log: a change, its actor, and the values before and after it.',
  authScopes: READERS,
  fields: t => ({
    id: globalId(t, 'id', 'AuditEntry', 'The ID of the entry.'),
    ...expose(t, 'String!', {
      action: 'The subject type and the action, such as `sdk_key.rotate`.',
      actorId: 'The ID of the user who made the change, as assigned by the token’s issuer.',
      subjectType: 'The type of the changed object, such as `sdk_key`.',
      requestId:
        'The ID of the request that made the change, as shown in the `X-Request-Id` header and in the logs.',
    }),
    subjectId: t.id({
      nullable: false,
      description: 'The global ID of the changed object.',
      resolve: ({ subjectType, subjectId }) => encodeNodeId(typenameOf(subjectType), subjectId),
    }),
    organizationId: t.id({
      description:
        'The ID of the organization that owns the changed object; null if no organization owns it.',
      resolve: ({ organizationId }) =>
        organizationId && encodeNodeId('Organization', organizationId),
    }),
    workspaceId: t.id({
      description:
        'The ID of the workspace that owns the changed object; null if no workspace owns it.',
      resolve: ({ workspaceId }) => workspaceId && encodeNodeId('Workspace', workspaceId),
    }),
    ...expose(t, 'JSON', {
      before: 'The values before the change; null if the object was created.',
      after: 'The values after the change; null if the object was removed.',
    }),
    ...expose(t, 'DateTime!', { createdAt: 'When the change was made.' }),
  }),
});

const AuditEntryConnection = connectionType('AuditEntry', AuditEntryRef);

builder.queryField('auditEntries', t =>
  t.field({
    type: AuditEntryConnection,
    nullable: false,
    description: 'The audit log of the viewer’s workspace. Owners only.',
    authScopes: READERS,
    args: { ...pageArgs(t.arg), ...filterArgs(t.arg) },
    complexity: pageCost,
    resolve: async (_root, args, { context }) =>
      connectionOfPage(await workspaceAuditPage(context, args, filterOf(args)), args),
  }),
);

builder.objectField(OrganizationRef, 'auditEntries', t =>
  t.field({
    type: AuditEntryConnection,
    nullable: false,
    description:
      'The audit log of the organization. If the request names a workspace, entries of other workspaces are omitted. Owners only.',
    authScopes: READERS,
    args: { ...pageArgs(t.arg), ...filterArgs(t.arg) },
    complexity: pageCost,
    resolve: async (_organization, args, { context }) =>
      connectionOfPage(await organizationAuditPage(context, args, filterOf(args)), args),
  }),
);

pageQuery('platformAuditEntries', {
  type: AuditEntryConnection,
  description: 'The audit log of all organizations and cells. Platform admins only.',
  access: 'platformAdmin',
  args: arg => ({
    ...filterArgs(arg),
    organizationId: arg.id({ description: 'Filters by organization.' }),
  }),
  page: (context, page, { organizationId, ...filter }) =>
    platformAuditPage(context, page, {
      organizationId: organizationId ? uuidOf('Organization', organizationId) : undefined,
      ...filterOf(filter),
    }),
});

function filterArgs(arg: ArgBuilder<SchemaTypes>) {
  return {
    subjectType: arg.string({ description: 'Filters by subject type, such as `sdk_key`.' }),
    subjectId: arg.id({ description: 'Filters by the global ID of the changed object.' }),
    actorId: arg.string({ description: 'Filters by the user who made the change.' }),
    action: arg.string({ description: 'Filters by action, such as `sdk_key.rotate`.' }),
    since: arg({ type: 'DateTime', description: 'Returns changes made at or after this time.' }),
    until: arg({ type: 'DateTime', description: 'Returns changes made before this time.' }),
  };
}

type FilterArgs = InputShapeFromFields<ReturnType<typeof filterArgs>>;

function filterOf(args: FilterArgs): AuditFilter {
  const subject = args.subjectId ? decodeNodeId(args.subjectId) : undefined;
  const subjectType = subject && subjectTypeOf(subject.typename);
  // The two filters contradict each other.
  if (subjectType !== undefined && args.subjectType && args.subjectType !== subjectType)
    return reject('BAD_USER_INPUT', {
      field: ['subjectType'],
      message: '`subjectId` must be the ID of an object of the type in `subjectType`.',
    });
  const { actorId, action, since, until } = args;
  return {
    subjectType: subjectType ?? args.subjectType,
    subjectId: subject?.id,
    actorId,
    action,
    since,
    until,
  };
}

/** `sdk_key` in the audit log is `SdkKey` in GraphQL. */
function typenameOf(subjectType: string): string {
  return subjectType.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function subjectTypeOf(typename: string): string {
  return typename.replaceAll(/(?<!^)[A-Z]/g, letter => `_${letter}`).toLowerCase();
}
