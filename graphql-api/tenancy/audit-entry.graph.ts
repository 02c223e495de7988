import type { ArgBuilder } from '@pothos/core';
import type { AuditEntry } from '../platform/audit-entry.entity.ts';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import {
  connectionOfPage,
  connectionType,
  pageArgs,
  pageCost,
} from '../platform/graph/connection.ts';
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
    'An entry of the audit log: a change, its actor, and the values before and after. Immutable.',
  authScopes: READERS,
  fields: t => ({
    id: t.id({
      nullable: false,
      description: 'The ID of the entry.',
      resolve: ({ id }) => encodeNodeId('AuditEntry', id),
    }),
    action: t.exposeString('action', {
      nullable: false,
      description: 'The subject type and the action, such as `sdk_key.rotate`.',
    }),
    actorId: t.exposeString('actorId', {
      nullable: false,
      description: 'The user who made the change, as identified by the token’s issuer.',
    }),
    subjectType: t.exposeString('subjectType', {
      nullable: false,
      description: 'The type of the changed object, such as `sdk_key`.',
    }),
    subjectId: t.id({
      nullable: false,
      description: 'The global ID of the changed object.',
      resolve: ({ subjectType, subjectId }) => encodeNodeId(typenameOf(subjectType), subjectId),
    }),
    organizationId: t.id({
      description: 'The organization that owns the changed object; null if none.',
      resolve: ({ organizationId }) =>
        organizationId && encodeNodeId('Organization', organizationId),
    }),
    workspaceId: t.id({
      description: 'The workspace that owns the changed object; null if none.',
      resolve: ({ workspaceId }) => workspaceId && encodeNodeId('Workspace', workspaceId),
    }),
    before: t.expose('before', {
      type: 'JSON',
      description: 'The values before the change; null if the object was created.',
    }),
    after: t.expose('after', {
      type: 'JSON',
      description: 'The values after the change; null if the object was removed.',
    }),
    requestId: t.exposeString('requestId', {
      nullable: false,
      description: 'The request that made the change, as in `X-Request-Id` and the logs.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When the change was made.',
    }),
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
      'The audit log of the organization. If the request names a workspace, entries of other workspaces are left out. Owners only.',
    authScopes: READERS,
    args: { ...pageArgs(t.arg), ...filterArgs(t.arg) },
    complexity: pageCost,
    resolve: async (_organization, args, { context }) =>
      connectionOfPage(await organizationAuditPage(context, args, filterOf(args)), args),
  }),
);

builder.queryField('platformAuditEntries', t =>
  t.field({
    type: AuditEntryConnection,
    nullable: false,
    description: 'The audit log of all organizations and cells. Platform admins only.',
    authScopes: { platformAdmin: true },
    args: {
      ...pageArgs(t.arg),
      ...filterArgs(t.arg),
      organizationId: t.arg.id({ description: 'Filters by organization.' }),
    },
    complexity: pageCost,
    resolve: async (_root, args, { context }) => {
      const organizationId = args.organizationId
        ? uuidOf('Organization', args.organizationId)
        : undefined;
      const filter = { ...filterOf(args), organizationId };
      return connectionOfPage(await platformAuditPage(context, args, filter), args);
    },
  }),
);

function filterArgs(arg: ArgBuilder<SchemaTypes>) {
  return {
    subjectType: arg.string({ description: 'Filters by subject type, such as `sdk_key`.' }),
    subjectId: arg.id({ description: 'Filters by the global ID of the changed object.' }),
    actorId: arg.string({ description: 'Filters by the user who made the change.' }),
    action: arg.string({ description: 'Filters by action, such as `sdk_key.rotate`.' }),
    since: arg({ type: 'DateTime', description: 'Returns changes at or after this time.' }),
    until: arg({ type: 'DateTime', description: 'Returns changes before this time.' }),
  };
}

type FilterArgs = {
  readonly [Name in Exclude<keyof AuditFilter, 'since' | 'until'>]?: string | null | undefined;
} & { readonly since?: Date | null | undefined; readonly until?: Date | null | undefined };

function filterOf(args: FilterArgs): AuditFilter {
  const subject = args.subjectId ? decodeNodeId(args.subjectId) : undefined;
  const subjectType = subject && subjectTypeOf(subject.typename);
  // The two filters contradict each other.
  if (subjectType !== undefined && args.subjectType && args.subjectType !== subjectType)
    return reject('BAD_USER_INPUT', {
      field: ['subjectType'],
      message: '`subjectId` is not the ID of a `subjectType`.',
    });
  return {
    subjectType: subjectType ?? args.subjectType ?? undefined,
    subjectId: subject?.id,
    actorId: args.actorId ?? undefined,
    action: args.action ?? undefined,
    since: args.since ?? undefined,
    until: args.until ?? undefined,
  };
}

/** `sdk_key` in the audit log is `SdkKey` in GraphQL. */
function typenameOf(subjectType: string): string {
  return subjectType.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function subjectTypeOf(typename: string): string {
  return typename.replaceAll(/(?<!^)[A-Z]/g, letter => `_${letter}`).toLowerCase();
}
