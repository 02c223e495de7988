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

/** Its own rule too: what was changed may be more than a member sees otherwise. */
const READERS = { $any: { owner: true, platformAdmin: true } };

const AuditEntryRef = builder.objectRef<AuditEntry>('AuditEntry').implement({
  description: 'One change: who did what to which thing, from what to what. Never changed itself.',
  authScopes: READERS,
  fields: t => ({
    id: t.id({
      nullable: false,
      description: 'Of the entry.',
      resolve: ({ id }) => encodeNodeId('AuditEntry', id),
    }),
    action: t.exposeString('action', {
      nullable: false,
      description: 'The noun, then what happened to it, such as `sdk_key.rotate`.',
    }),
    actorId: t.exposeString('actorId', {
      nullable: false,
      description: 'The user, as the issuer of the token names them.',
    }),
    subjectType: t.exposeString('subjectType', {
      nullable: false,
      description: 'The noun, such as `sdk_key`.',
    }),
    subjectId: t.id({
      nullable: false,
      description: 'The global id of what was changed.',
      resolve: ({ subjectType, subjectId }) => encodeNodeId(typenameOf(subjectType), subjectId),
    }),
    organizationId: t.id({
      description: 'Of what was changed; null for what belongs to no organisation.',
      resolve: ({ organizationId }) =>
        organizationId && encodeNodeId('Organization', organizationId),
    }),
    workspaceId: t.id({
      description: 'Of what was changed; null for what belongs to no workspace.',
      resolve: ({ workspaceId }) => workspaceId && encodeNodeId('Workspace', workspaceId),
    }),
    before: t.expose('before', {
      type: 'JSON',
      description: 'What was there; null where there was nothing.',
    }),
    after: t.expose('after', {
      type: 'JSON',
      description: 'What is there since; null where there is nothing.',
    }),
    requestId: t.exposeString('requestId', {
      nullable: false,
      description: 'The request that did it, as in `X-Request-Id` and the logs.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it happened.',
    }),
  }),
});

const AuditEntryConnection = connectionType('AuditEntry', AuditEntryRef);

builder.queryField('auditEntries', t =>
  t.field({
    type: AuditEntryConnection,
    nullable: false,
    description: 'What was changed in the viewer’s workspace, for owners.',
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
      'What was changed in the organisation, for owners; of its workspaces only the viewer’s own where the request names one.',
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
    description: 'What was changed anywhere, cells included, for platform admins.',
    authScopes: { platformAdmin: true },
    args: {
      ...pageArgs(t.arg),
      ...filterArgs(t.arg),
      organizationId: t.arg.id({ description: 'Only of this organisation.' }),
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
    subjectType: arg.string({ description: 'Only this noun, such as `sdk_key`.' }),
    subjectId: arg.id({ description: 'Only this thing, by its global id.' }),
    actorId: arg.string({ description: 'Only by this user.' }),
    action: arg.string({ description: 'Only this, such as `sdk_key.rotate`.' }),
    since: arg({ type: 'DateTime', description: 'Only from then on.' }),
    until: arg({ type: 'DateTime', description: 'Only before then.' }),
  };
}

type FilterArgs = {
  readonly [Name in Exclude<keyof AuditFilter, 'since' | 'until'>]?: string | null | undefined;
} & { readonly since?: Date | null | undefined; readonly until?: Date | null | undefined };

function filterOf(args: FilterArgs): AuditFilter {
  const subject = args.subjectId ? decodeNodeId(args.subjectId) : undefined;
  const subjectType = subject && subjectTypeOf(subject.typename);
  // One of the two would have to be ignored.
  if (subjectType !== undefined && args.subjectType && args.subjectType !== subjectType)
    return reject('BAD_USER_INPUT', {
      field: ['subjectType'],
      message: 'subjectId is of another type.',
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

/** `sdk_key` is the log's word for SdkKey. */
function typenameOf(subjectType: string): string {
  return subjectType.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function subjectTypeOf(typename: string): string {
  return typename.replaceAll(/(?<!^)[A-Z]/g, letter => `_${letter}`).toLowerCase();
}
