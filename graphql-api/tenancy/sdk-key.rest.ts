import { z } from '@hono/zod-openapi';
import type { Context } from '../platform/context.ts';
import type { RestApp } from '../platform/rest/rest-app.ts';
import { changeRoute, listRoute } from '../platform/rest/routes.ts';
import { sdkKeyCreate, sdkKeyRevoke, sdkKeyRotate, sdkKeyUpdate } from './sdk-key.actions.ts';
import {
  type SdkKeyResource,
  sdkKeyCreateBody,
  sdkKeyResource,
  sdkKeyRotateBody,
  sdkKeyUpdateBody,
} from './sdk-key.contract.ts';
import { isSdkKeyActive, type SdkKey } from './sdk-key.entity.ts';
import { sdkKeys } from './sdk-key.reads.ts';

const PATH = '/api/v1/sdk-keys/{sdk_key_id}';
const params = z.object({
  sdk_key_id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' }),
});

const common = { tag: 'SDK keys', isInWorkspace: true } as const;
const shown = { sdk_key: sdkKeyResource };

export function sdkKeyRoutes(app: RestApp): void {
  listRoute(app, {
    ...common,
    path: '/api/v1/sdk-keys',
    operationId: 'listSdkKeys',
    summary: 'List the SDK keys of the workspace, newest first',
    description: 'Includes revoked and rotated keys.',
    item: sdkKeyResource,
    items: 'A page of SDK keys.',
    page: sdkKeys.page,
    show: sdkKeyAnswer,
  });
  changeRoute(app, {
    ...common,
    path: '/api/v1/sdk-keys',
    operationId: 'createSdkKey',
    summary: 'Create an SDK key',
    description:
      'Within a second, ingest starts accepting events with the key. The caps limit the number of events per minute and per hour. Owners only.',
    body: sdkKeyCreateBody,
    result: ['The new SDK key.', shown],
    operation: 'sdkKeyCreate',
    action: sdkKeyCreate,
    input: inputOf,
    show: sdkKeyShown,
  });
  changeRoutes(app);
}

function changeRoutes(app: RestApp): void {
  changeRoute(app, {
    ...common,
    method: 'patch',
    path: PATH,
    operationId: 'updateSdkKey',
    summary: 'Update an active SDK key',
    description:
      'Omitted fields are unchanged; null removes a cap. Ingest applies the change within a second. Returns 409 if the key is revoked or expired. Owners only.',
    params,
    body: sdkKeyUpdateBody,
    result: ['The updated SDK key.', shown],
    statuses: [404],
    operation: 'sdkKeyUpdate',
    action: sdkKeyUpdate,
    input: ({ sdk_key_id: id, ...changes }) => ({ id, ...inputOf(changes) }),
    show: sdkKeyShown,
  });
  changeRoute(app, {
    ...common,
    path: `${PATH}/rotate`,
    operationId: 'rotateSdkKey',
    summary: 'Rotate an SDK key',
    description:
      'Creates a key with the same settings. The old key keeps working for another day, or for the time given in `overlap_seconds`. A key can be rotated only once; the next time, rotate its successor. Owners only.',
    params,
    body: sdkKeyRotateBody,
    result: ['The new SDK key.', shown],
    statuses: [404],
    operation: 'sdkKeyRotate',
    action: sdkKeyRotate,
    input: ({ sdk_key_id: id, overlap_seconds: overlapSeconds }) => ({ id, overlapSeconds }),
    show: sdkKeyShown,
  });
  changeRoute(app, {
    ...common,
    path: `${PATH}/revoke`,
    operationId: 'revokeSdkKey',
    summary: 'Revoke an SDK key permanently',
    description:
      'Within a second, ingest starts returning 401 for requests with the key. Idempotent. Owners only.',
    params,
    result: ['The revoked SDK key.', shown],
    statuses: [404],
    operation: 'sdkKeyRevoke',
    action: sdkKeyRevoke,
    input: ({ sdk_key_id: id }) => ({ id }),
    show: sdkKeyShown,
  });
}

type Cap = number | null | undefined;

function inputOf<B extends { minute_cap?: Cap; hour_cap?: Cap }>({
  minute_cap: minuteCap,
  hour_cap: hourCap,
  ...same
}: B) {
  return { ...same, minuteCap, hourCap };
}

async function sdkKeyShown({ id }: { readonly id: string }, context: Context) {
  const [key] = await sdkKeys.byIds(context, [id]);
  return { sdk_key: sdkKeyAnswer(key!, context) };
}

function sdkKeyAnswer(key: SdkKey, { deps }: Context): SdkKeyResource {
  return {
    id: key.id,
    name: key.name,
    write_key: key.writeKey,
    minute_cap: key.minuteCap ?? null,
    hour_cap: key.hourCap ?? null,
    origins: key.origins,
    accepts: key.accepts,
    is_active: isSdkKeyActive(key, deps.clock.nowMs()),
    rotated_from_id: key.rotatedFromId ?? null,
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
  };
}
