import type { ObjectRef } from '@pothos/core';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import {
  connectionOfPage,
  connectionType,
  pageArgs,
  pageCost,
} from '../platform/graph/connection.ts';
import { loaderBy, loaderById } from '../platform/graph/loader.ts';
import { mutation } from '../platform/graph/mutation.ts';
import {
  sdkKeyCreateContract,
  sdkKeyRevokeContract,
  sdkKeyRotateContract,
  sdkKeyUpdateContract,
} from './sdk-key.contract.ts';
import { sdkKeyCreate } from './sdk-key.create.ts';
import { isSdkKeyActive, SdkKey } from './sdk-key.entity.ts';
import { sdkKeysByIds, sdkKeysByPredecessors, sdkKeysPage } from './sdk-key.reads.ts';
import { sdkKeyRevoke } from './sdk-key.revoke.ts';
import { sdkKeyRotate } from './sdk-key.rotate.ts';
import { sdkKeyUpdate } from './sdk-key.update.ts';

export const sdkKeyById = loaderById(sdkKeysByIds);
const sdkKeyByPredecessor = loaderBy(sdkKeysByPredecessors, key => key.rotatedFromId);

export const SdkKeyRef: ObjectRef<SchemaTypes, SdkKey> = builder.node(SdkKey, {
  name: 'SdkKey',
  description: 'A write key: it ships inside client apps and may only send events.',
  authScopes: { member: true },
  id: { resolve: key => key.id },
  loadOne: (id, graph) => sdkKeyById(graph, id),
  fields: t => ({
    name: t.exposeString('name', { nullable: false, description: 'What people call the key.' }),
    writeKey: t.exposeString('writeKey', {
      nullable: false,
      description: 'What SDKs send as `writeKey`. Not a secret.',
    }),
    minuteCap: t.exposeInt('minuteCap', { description: 'Events in a minute; null is unlimited.' }),
    hourCap: t.exposeInt('hourCap', { description: 'Events in an hour; null is unlimited.' }),
    origins: t.exposeStringList('origins', {
      nullable: false,
      description: 'Browser origins that may use the key; empty allows all.',
    }),
    isActive: t.boolean({
      nullable: false,
      description: 'Whether it works now: neither revoked nor expired.',
      resolve: (key, _args, { context }) => isSdkKeyActive(key, context.deps.clock.nowMs()),
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it was made.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'When it stops working, since a rotation replaced it.',
    }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', description: 'When it was revoked.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      description: 'When events last came with it, to about a minute.',
    }),
    rotatedFrom: t.field({
      type: SdkKeyRef,
      description: 'The key that it replaces.',
      resolve: ({ rotatedFromId }, _args, graph) =>
        rotatedFromId ? sdkKeyById(graph, rotatedFromId) : null,
    }),
    replacedBy: t.field({
      type: SdkKeyRef,
      description: 'The key that replaces it, since it was rotated.',
      resolve: ({ id }, _args, graph) => sdkKeyByPredecessor(graph, id),
    }),
  }),
});

const SdkKeyConnection = connectionType('SdkKey', SdkKeyRef);

builder.queryField('sdkKeys', t =>
  t.field({
    type: SdkKeyConnection,
    nullable: false,
    description: 'The keys of the viewer’s workspace, revoked ones too.',
    authScopes: { member: true },
    args: pageArgs(t.arg),
    complexity: pageCost,
    resolve: async (_root, page, { context }) =>
      connectionOfPage(await sdkKeysPage(context, page), page),
  }),
);

mutation({
  name: 'sdkKeyCreate',
  description: 'Makes a key; ingest takes events with it within a second.',
  access: 'owner',
  input: t => ({
    name: t.string({ required: true, description: 'What people call the key.' }),
    minuteCap: t.int({ description: 'Events in a minute; null is unlimited.' }),
    hourCap: t.int({ description: 'Events in an hour; null is unlimited.' }),
    origins: t.stringList({ description: 'Browser origins that may use it; empty allows all.' }),
  }),
  contract: sdkKeyCreateContract,
  codes: ['TOO_MANY_SDK_KEYS'],
  action: sdkKeyCreate,
  payload: t => ({
    sdkKey: t.field({
      type: SdkKeyRef,
      description: 'The new key.',
      resolve: ({ result }, _args, graph) => result && sdkKeyById(graph, result.id),
    }),
  }),
});

mutation({
  name: 'sdkKeyUpdate',
  description:
    'Changes a live key; ingest follows within a second. What is left out stays; null lifts a cap.',
  access: 'owner',
  target: SdkKeyRef,
  input: t => ({
    name: t.string({ description: 'What people call the key.' }),
    minuteCap: t.int({ description: 'Events in a minute; null is unlimited.' }),
    hourCap: t.int({ description: 'Events in an hour; null is unlimited.' }),
    origins: t.stringList({ description: 'Browser origins that may use it; empty allows all.' }),
  }),
  contract: sdkKeyUpdateContract,
  codes: ['NOT_FOUND', 'SDK_KEY_ENDED'],
  action: sdkKeyUpdate,
  payload: t => ({
    sdkKey: t.field({
      type: SdkKeyRef,
      description: 'The key as it is now.',
      resolve: ({ result }, _args, graph) => result && sdkKeyById(graph, result.id),
    }),
  }),
});

mutation({
  name: 'sdkKeyRotate',
  description:
    'Makes a key with the same settings; the old one works beside it until the overlap is over.',
  access: 'owner',
  target: SdkKeyRef,
  input: t => ({
    overlapSeconds: t.int({
      description: 'How long the old key still works: 0 to 2592000 (30 days), a day unless said.',
    }),
  }),
  contract: sdkKeyRotateContract,
  codes: ['NOT_FOUND', 'SDK_KEY_ENDED', 'SDK_KEY_ROTATED', 'TOO_MANY_SDK_KEYS'],
  action: sdkKeyRotate,
  payload: t => ({
    sdkKey: t.field({
      type: SdkKeyRef,
      description: 'The new key.',
      resolve: ({ result }, _args, graph) => result && sdkKeyById(graph, result.id),
    }),
    replacedKey: t.field({
      type: SdkKeyRef,
      description: 'The old key, with the time of its end.',
      resolve: ({ result }, _args, graph) => result && sdkKeyById(graph, result.replacedId),
    }),
  }),
});

mutation({
  name: 'sdkKeyRevoke',
  description:
    'Ends a key for ever; ingest answers 401 within a second. One that is revoked already stays as it is.',
  access: 'owner',
  target: SdkKeyRef,
  contract: sdkKeyRevokeContract,
  codes: ['NOT_FOUND'],
  action: sdkKeyRevoke,
  payload: t => ({
    sdkKey: t.field({
      type: SdkKeyRef,
      description: 'The revoked key.',
      resolve: ({ result }, _args, graph) => result && sdkKeyById(graph, result.id),
    }),
  }),
});
