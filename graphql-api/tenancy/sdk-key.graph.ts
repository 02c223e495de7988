import type { ObjectRef } from '@pothos/core';
import type { SchemaTypes } from '../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { describedEnum } from '../platform/graph/described-enum.ts';
import { expose, memberNode } from '../platform/graph/fields.ts';
import { loaderBy, loaderById } from '../platform/graph/loader.ts';
import { changed, changedObject, type InputFields, mutation } from '../platform/graph/mutation.ts';
import { sdkKeyCreate, sdkKeyRevoke, sdkKeyRotate, sdkKeyUpdate } from './sdk-key.actions.ts';
import {
  sdkKeyCreateContract,
  sdkKeyRevokeContract,
  sdkKeyRotateContract,
  sdkKeyUpdateContract,
} from './sdk-key.contract.ts';
import { isSdkKeyActive, type SdkKey } from './sdk-key.entity.ts';
import { sdkKeys, sdkKeysByPredecessors } from './sdk-key.reads.ts';

export const sdkKeyById = loaderById(sdkKeys.byIds);
const sdkKeyByPredecessor = loaderBy(sdkKeysByPredecessors, key => key.rotatedFromId);

const SdkKeyAcceptsRef = describedEnum('SdkKeyAccepts', 'Which requests an SDK key accepts.', {
  CONTRACT: 'Only requests that follow the contract of this service.',
  COMPATIBLE:
    'Requests that follow the contract of this service, and requests from the clients of Segment, RudderStack, Jitsu and PostHog. Ingest fills in the values that these clients do not send.',
});

export const SdkKeyRef: ObjectRef<SchemaTypes, SdkKey> = memberNode('SdkKey', sdkKeyById, {
  description:
    'The credential of an SDK. Because its write key is included in client apps, an SDK key can only be used to send events.',
  fields: t => ({
    ...expose(t, 'String!', {
      name: 'The name of the SDK key.',
      writeKey: 'The value that SDKs send as `writeKey`. It is not a secret.',
    }),
    ...expose(t, 'Int', {
      minuteCap: 'The maximum number of events per minute; null if unlimited.',
      hourCap: 'The maximum number of events per hour; null if unlimited.',
    }),
    ...expose(t, '[String!]!', {
      origins: 'The browser origins that can use the SDK key; empty if all origins can use it.',
    }),
    ...expose(t, SdkKeyAcceptsRef, { accepts: 'Which requests the SDK key accepts.' }),
    isActive: t.boolean({
      nullable: false,
      description: 'Whether the SDK key works now, meaning that it is neither revoked nor expired.',
      resolve: (key, _args, { context }) => isSdkKeyActive(key, context.deps.clock.nowMs()),
    }),
    ...expose(t, 'DateTime!', { createdAt: 'When the SDK key was created.' }),
    ...expose(t, 'DateTime', {
      expiresAt: 'When the SDK key stops working after a rotation; null if it was not rotated.',
      revokedAt: 'When the SDK key was revoked; null if it has not been revoked.',
      lastUsedAt:
        'When events were last received with the SDK key, accurate to about a minute; null if never.',
    }),
    rotatedFrom: t.field({
      type: SdkKeyRef,
      description: 'The SDK key that this one replaced; null if there is none.',
      resolve: ({ rotatedFromId }, _args, graph) =>
        rotatedFromId ? sdkKeyById(graph, rotatedFromId) : null,
    }),
    replacedBy: t.field({
      type: SdkKeyRef,
      description: 'The SDK key that replaced this one; null if this one was not rotated.',
      resolve: ({ id }, _args, graph) => sdkKeyByPredecessor(graph, id),
    }),
  }),
});

const SdkKeyConnection = connectionType('SdkKey', SdkKeyRef);

pageQuery('sdkKeys', {
  type: SdkKeyConnection,
  description: 'The SDK keys in the viewer’s workspace, including revoked ones.',
  page: sdkKeys.page,
});

const settingsInput = (t: InputFields) => ({
  minuteCap: t.int({
    description: 'The maximum number of events per minute; null for no limit.',
  }),
  hourCap: t.int({ description: 'The maximum number of events per hour; null for no limit.' }),
  origins: t.stringList({
    description:
      'The browser origins that can use the SDK key. If the list is empty, all origins can use it.',
  }),
  accepts: t.field({
    type: SdkKeyAcceptsRef,
    description: 'Which requests the SDK key accepts. Defaults to CONTRACT for a new SDK key.',
  }),
});

mutation({
  name: 'sdkKeyCreate',
  description: 'Creates an SDK key. The key takes effect within a second.',
  access: 'owner',
  input: t => ({
    name: t.string({ required: true, description: 'The name of the SDK key.' }),
    ...settingsInput(t),
  }),
  contract: sdkKeyCreateContract,
  codes: ['TOO_MANY_SDK_KEYS'],
  action: sdkKeyCreate,
  payload: changedObject('sdkKey', SdkKeyRef, sdkKeyById, 'The new SDK key.'),
});

mutation({
  name: 'sdkKeyUpdate',
  description:
    'Updates an active SDK key. Ingest applies the change within a second. Omitted fields are unchanged; null removes a cap.',
  access: 'owner',
  target: SdkKeyRef,
  input: t => ({
    name: t.string({ description: 'The name of the SDK key.' }),
    ...settingsInput(t),
  }),
  contract: sdkKeyUpdateContract,
  codes: ['NOT_FOUND', 'SDK_KEY_ENDED'],
  action: sdkKeyUpdate,
  payload: changedObject('sdkKey', SdkKeyRef, sdkKeyById, 'The updated SDK key.'),
});

mutation({
  name: 'sdkKeyRotate',
  description:
    'Creates an SDK key with the same settings as an existing one. The old key keeps working for another day, or for the time given in `overlapSeconds`.',
  access: 'owner',
  target: SdkKeyRef,
  input: t => ({
    overlapSeconds: t.int({
      description:
        'How long the old key keeps working, in seconds: from 0 to 2592000 (30 days). Defaults to 86400 (one day).',
    }),
  }),
  contract: sdkKeyRotateContract,
  codes: ['NOT_FOUND', 'SDK_KEY_ENDED', 'SDK_KEY_ROTATED', 'TOO_MANY_SDK_KEYS'],
  action: sdkKeyRotate,
  payload: t => ({
    sdkKey: changed(t, SdkKeyRef, sdkKeyById, 'The new SDK key.'),
    replacedKey: t.field({
      type: SdkKeyRef,
      description: 'The old SDK key, with its expiry time.',
      resolve: ({ result }, _args, graph) => result && sdkKeyById(graph, result.replacedId),
    }),
  }),
});

mutation({
  name: 'sdkKeyRevoke',
  description:
    'Revokes an SDK key permanently. Within a second, ingest starts returning 401 for requests with the key. Idempotent.',
  access: 'owner',
  target: SdkKeyRef,
  contract: sdkKeyRevokeContract,
  codes: ['NOT_FOUND'],
  action: sdkKeyRevoke,
  payload: changedObject('sdkKey', SdkKeyRef, sdkKeyById, 'The revoked SDK key.'),
});
