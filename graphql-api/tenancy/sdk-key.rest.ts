import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from '../platform/context.ts';
import { listAnswer } from '../platform/rest/list-answer.ts';
import {
  allow,
  bodyOf,
  changeErrors,
  errors,
  json,
  listOf,
  pageQuery,
  type RestApp,
  resultOf,
  workspaceChangeHeaders,
  workspaceHeader,
} from '../platform/rest/rest-app.ts';
import { runAction } from '../platform/run-action.ts';
import {
  type SdkKeyResource,
  sdkKeyCreateBody,
  sdkKeyResource,
  sdkKeyRotateBody,
  sdkKeyUpdateBody,
} from './sdk-key.contract.ts';
import { sdkKeyCreate } from './sdk-key.create.ts';
import { isSdkKeyActive, type SdkKey } from './sdk-key.entity.ts';
import { sdkKeysByIds, sdkKeysPage } from './sdk-key.reads.ts';
import { sdkKeyRevoke } from './sdk-key.revoke.ts';
import { sdkKeyRotate } from './sdk-key.rotate.ts';
import { sdkKeyUpdate } from './sdk-key.update.ts';

const sdkKeyResult = resultOf({ sdk_key: sdkKeyResource });
const PATH = '/api/v1/sdk-keys/{sdk_key_id}';
const params = z.object({
  sdk_key_id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' }),
});

export function sdkKeyRoutes(app: RestApp): void {
  const list = createRoute({
    method: 'get',
    path: '/api/v1/sdk-keys',
    tags: ['SDK keys'],
    operationId: 'listSdkKeys',
    summary: 'List the workspace’s keys, newest first',
    description: 'Revoked and replaced keys included.',
    middleware: allow('member'),
    request: { headers: workspaceHeader, query: pageQuery },
    responses: { 200: json('A page of keys.', listOf(sdkKeyResource)), ...errors(400) },
  });
  app.openapi(list, async c => {
    const { limit, cursor } = c.req.valid('query');
    const { context } = c.var;
    const page = await sdkKeysPage(context, { first: limit, after: cursor });
    return c.json(
      listAnswer(page, key => sdkKeyAnswer(context, key)),
      200,
    );
  });

  const create = createRoute({
    method: 'post',
    path: '/api/v1/sdk-keys',
    tags: ['SDK keys'],
    operationId: 'createSdkKey',
    summary: 'Make a key; ingest takes events with it within a second',
    description: 'The caps count events, in each minute and in each hour. Owners only.',
    middleware: allow('owner', 10),
    request: { headers: workspaceChangeHeaders, body: bodyOf(sdkKeyCreateBody) },
    responses: { 200: json('The new key.', sdkKeyResult), ...changeErrors() },
  });
  app.openapi(create, async c => {
    const { minute_cap: minuteCap, hour_cap: hourCap, ...same } = c.req.valid('json');
    const options = { operation: 'sdkKeyCreate', idempotencyKey: c.req.header('idempotency-key') };
    const { context } = c.var;
    const input = { ...same, minuteCap, hourCap };
    const { id } = await runAction(context, sdkKeyCreate, input, options);
    return c.json(await sdkKeyShown(context, id), 200);
  });
  changeRoutes(app);
}

function changeRoutes(app: RestApp): void {
  const update = createRoute({
    method: 'patch',
    path: PATH,
    tags: ['SDK keys'],
    operationId: 'updateSdkKey',
    summary: 'Change a live key; what is left out stays, null lifts a cap',
    description:
      'Ingest follows within a second. Answers 409 for a key that was revoked or whose time is over. Owners only.',
    middleware: allow('owner', 10),
    request: { params, headers: workspaceChangeHeaders, body: bodyOf(sdkKeyUpdateBody) },
    responses: { 200: json('The key as it is now.', sdkKeyResult), ...changeErrors(404) },
  });
  app.openapi(update, async c => {
    const { minute_cap: minuteCap, hour_cap: hourCap, ...same } = c.req.valid('json');
    const options = { operation: 'sdkKeyUpdate', idempotencyKey: c.req.header('idempotency-key') };
    const { context } = c.var;
    const input = { ...same, id: c.req.valid('param').sdk_key_id, minuteCap, hourCap };
    const { id } = await runAction(context, sdkKeyUpdate, input, options);
    return c.json(await sdkKeyShown(context, id), 200);
  });

  const rotate = createRoute({
    method: 'post',
    path: `${PATH}/rotate`,
    tags: ['SDK keys'],
    operationId: 'rotateSdkKey',
    summary: 'Make a key with the same settings; the old one works until the overlap is over',
    description: 'A key is rotated once: later its successor is. Owners only.',
    middleware: allow('owner', 10),
    request: { params, headers: workspaceChangeHeaders, body: bodyOf(sdkKeyRotateBody) },
    responses: { 200: json('The new key.', sdkKeyResult), ...changeErrors(404) },
  });
  app.openapi(rotate, async c => {
    const options = { operation: 'sdkKeyRotate', idempotencyKey: c.req.header('idempotency-key') };
    const { context } = c.var;
    const { overlap_seconds: overlapSeconds } = c.req.valid('json');
    const input = { id: c.req.valid('param').sdk_key_id, overlapSeconds };
    const { id } = await runAction(context, sdkKeyRotate, input, options);
    return c.json(await sdkKeyShown(context, id), 200);
  });

  const revoke = createRoute({
    method: 'post',
    path: `${PATH}/revoke`,
    tags: ['SDK keys'],
    operationId: 'revokeSdkKey',
    summary: 'End a key for ever; ingest answers 401 within a second',
    description: 'Revoking a revoked key changes nothing. Owners only.',
    middleware: allow('owner', 10),
    request: { params, headers: workspaceChangeHeaders },
    responses: { 200: json('The revoked key.', sdkKeyResult), ...changeErrors(404) },
  });
  app.openapi(revoke, async c => {
    const options = { operation: 'sdkKeyRevoke', idempotencyKey: c.req.header('idempotency-key') };
    const { context } = c.var;
    const input = { id: c.req.valid('param').sdk_key_id };
    const { id } = await runAction(context, sdkKeyRevoke, input, options);
    return c.json(await sdkKeyShown(context, id), 200);
  });
}

async function sdkKeyShown(context: Context, id: string): Promise<z.output<typeof sdkKeyResult>> {
  const [key] = await sdkKeysByIds(context, [id]);
  return { status: 'SUCCESS', sdk_key: sdkKeyAnswer(context, key!) };
}

function sdkKeyAnswer({ deps }: Context, key: SdkKey): SdkKeyResource {
  return {
    id: key.id,
    name: key.name,
    write_key: key.writeKey,
    minute_cap: key.minuteCap ?? null,
    hour_cap: key.hourCap ?? null,
    origins: key.origins,
    is_active: isSdkKeyActive(key, deps.clock.nowMs()),
    rotated_from_id: key.rotatedFromId ?? null,
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
  };
}
