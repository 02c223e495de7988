import { SdkKey } from '../../../schema/entities/sdk-key.ts';
import { sdkKeyCreateContract } from '../../../schema/wire/sdk-key.ts';
import { sdkKeyCreate } from '../../actions/sdk-key-create.ts';
import { sdkKeysByIds, sdkKeysPage } from '../../reads/sdk-keys.ts';
import { builder } from '../builder.ts';
import { connectionOfPage, connectionType, pageArgs, pageCost } from '../connection.ts';
import { loaderById } from '../loader.ts';
import { mutation } from '../mutation.ts';

const sdkKeyById = loaderById(sdkKeysByIds);

export const SdkKeyRef = builder.node(SdkKey, {
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
