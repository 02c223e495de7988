import { createRoute } from '@hono/zod-openapi';
import type { SdkKey } from '../../schema/entities/sdk-key.ts';
import {
  type SdkKeyResource,
  sdkKeyCreateBody,
  sdkKeyResource,
} from '../../schema/wire/sdk-key.ts';
import { runAction } from '../actions/run-action.ts';
import { sdkKeyCreate } from '../actions/sdk-key-create.ts';
import { sdkKeysByIds, sdkKeysPage } from '../reads/sdk-keys.ts';
import { listAnswer } from './list-answer.ts';
import {
  allow,
  bodyOf,
  errors,
  idempotencyHeader,
  json,
  listOf,
  pageQuery,
  type RestApp,
  resultOf,
} from './rest-app.ts';

export function sdkKeyRoutes(app: RestApp): void {
  const list = createRoute({
    method: 'get',
    path: '/api/v1/sdk-keys',
    tags: ['SDK keys'],
    summary: 'List the workspace’s keys, newest first',
    middleware: allow('member'),
    request: { query: pageQuery },
    responses: { 200: json('A page of keys.', listOf(sdkKeyResource)), ...errors(400) },
  });
  app.openapi(list, async c => {
    const { limit, cursor } = c.req.valid('query');
    const page = await sdkKeysPage(c.var.context, { first: limit, after: cursor });
    return c.json(listAnswer(page, sdkKeyAnswer), 200);
  });

  const create = createRoute({
    method: 'post',
    path: '/api/v1/sdk-keys',
    tags: ['SDK keys'],
    summary: 'Make a key; ingest takes events with it within a second',
    middleware: allow('owner', 10),
    request: { headers: idempotencyHeader, body: bodyOf(sdkKeyCreateBody) },
    responses: {
      200: json('The new key.', resultOf({ sdk_key: sdkKeyResource })),
      ...errors(400, 409, 422),
    },
  });
  app.openapi(create, async c => {
    const { minute_cap: minuteCap, hour_cap: hourCap, ...same } = c.req.valid('json');
    const options = { operation: 'sdkKeyCreate', idempotencyKey: c.req.header('idempotency-key') };
    const { context } = c.var;
    const input = { ...same, minuteCap, hourCap };
    const { id } = await runAction(context, sdkKeyCreate, input, options);
    const [key] = await sdkKeysByIds(context, [id]);
    return c.json({ status: 'SUCCESS' as const, sdk_key: sdkKeyAnswer(key!) }, 200);
  });
}

function sdkKeyAnswer(key: SdkKey): SdkKeyResource {
  return {
    id: key.id,
    name: key.name,
    write_key: key.writeKey,
    minute_cap: key.minuteCap ?? null,
    hour_cap: key.hourCap ?? null,
    origins: key.origins,
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
  };
}
