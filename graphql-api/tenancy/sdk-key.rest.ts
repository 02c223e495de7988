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
    summary: 'List the SDK keys of the workspace, newest first',
    description: 'Includes revoked and rotated keys.',
    middleware: allow('member'),
    request: { headers: workspaceHeader, query: pageQuery },
    responses: { 200: json('A page of SDK keys.', listOf(sdkKeyResource)), ...errors(400) },
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
    summary: 'Create an SDK key',
    description:
      'Ingest accepts events with the key within a second. The caps limit the number of events per minute and per hour. Owners only.',
    middleware: allow('owner', 10),
    request: { headers: workspaceChangeHeaders, body: bodyOf(sdkKeyCreateBody) },
    responses: { 200: json('The new SDK key.', sdkKeyResult), ...changeErrors() },
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
    summary: 'Update an active SDK key',
    description:
      'Omitted fields are unchanged; null removes a cap. Ingest applies the change within a second. Returns 409 if the key is revoked or expired. Owners only.',
    middleware: allow('owner', 10),
    request: { params, headers: workspaceChangeHeaders, body: bodyOf(sdkKeyUpdateBody) },
    responses: { 200: json('The updated SDK key.', sdkKeyResult), ...changeErrors(404) },
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
    summary: 'Rotate an SDK key',
    description:
      'Creates a key with the same settings. The old key keeps working until the overlap ends. A key can be rotated once; rotate its successor the next time. Owners only.',
    middleware: allow('owner', 10),
    request: { params, headers: workspaceChangeHeaders, body: bodyOf(sdkKeyRotateBody) },
    responses: { 200: json('The new SDK key.', sdkKeyResult), ...changeErrors(404) },
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
    summary: 'Revoke an SDK key permanently',
    description: 'Ingest returns 401 for the key within a second. Idempotent. Owners only.',
    middleware: allow('owner', 10),
    request: { params, headers: workspaceChangeHeaders },
    responses: { 200: json('The revoked SDK key.', sdkKeyResult), ...changeErrors(404) },
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
