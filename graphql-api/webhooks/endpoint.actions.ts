import type { Problem } from '../../schema/values/problem.ts';
import type { Sealed } from '../../schema/values/sealing.ts';
import { changeEntity, lockInWorkspace } from '../platform/change-entity.ts';
import type { Context } from '../platform/context.ts';
import { countOf } from '../platform/database/count-of.ts';
import { kysely } from '../platform/database/kysely.ts';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import { type ActionScope, runAction } from '../platform/run-action.ts';
import { secretsOf } from '../platform/secrets.ts';
import { queueTest } from './dispatch/queue-test.ts';
import { checkWebhookUrl } from './dispatch/resolve-host.ts';
import type {
  WebhookEndpointCreate,
  WebhookEndpointId,
  WebhookEndpointUpdate,
  WebhookSecretRotate,
} from './endpoint.contract.ts';
import { WebhookEndpoint } from './endpoint.entity.ts';
import { newWebhookSecret, webhookSecretPlace } from './signature.ts';

/** Bounds the fan-out: each event is posted to each endpoint. */
export const ENDPOINTS_MAX = 20;

type EndpointId = { readonly id: string };
export type EndpointWithSecret = { readonly id: string; readonly secret: Sealed };

/** Resolves the host before the transaction, so that the transaction does not wait for DNS. */
export async function webhookEndpointCreate(
  context: Context,
  input: WebhookEndpointCreate,
  idempotencyKey: string | undefined,
): Promise<EndpointWithSecret> {
  const address = await readAddress(context, input.url);
  return runAction(context, scope => create(scope, input, address), input, {
    operation: 'webhookEndpointCreate',
    idempotencyKey,
  });
}

async function create(
  scope: ActionScope,
  { description, eventTypes }: WebhookEndpointCreate,
  address: Address,
): Promise<EndpointWithSecret> {
  const { em, viewer, deps, audit } = scope;
  const url = requireAddress(address);
  const workspaceId = workspaceOf(viewer);
  await oneAtATime(scope, `webhook_endpoints of ${workspaceId}`);
  if ((await countOf(em, WebhookEndpoint, { workspaceId })) >= ENDPOINTS_MAX)
    reject('TOO_MANY_WEBHOOK_ENDPOINTS');
  const now = new Date(deps.clock.nowMs());
  const endpoint = em.create(WebhookEndpoint, {
    id: deps.newId(),
    workspaceId,
    url,
    description: description ?? '',
    eventTypes: eventTypes ?? [],
    createdBy: viewer.userId,
    createdAt: now,
    updatedAt: now,
  });
  await em.persist(endpoint).flush();
  const secret = await putSecret(scope, endpoint, 0);
  await audit({
    action: 'webhook_endpoint.create',
    subjectId: endpoint.id,
    after: auditedEndpoint(endpoint),
  });
  return { id: endpoint.id, secret };
}

/** Attempts in progress go to the old URL; attempts from now on go to the new one. */
export async function webhookEndpointUpdate(
  context: Context,
  input: WebhookEndpointUpdate,
  idempotencyKey: string | undefined,
): Promise<EndpointId> {
  const address = input.url === undefined ? undefined : await readAddress(context, input.url);
  return runAction(context, scope => update(scope, input, address), input, {
    operation: 'webhookEndpointUpdate',
    idempotencyKey,
  });
}

async function update(
  scope: ActionScope,
  { id, version, description, eventTypes }: WebhookEndpointUpdate,
  address: Address | undefined,
): Promise<EndpointId> {
  const endpoint = await lockEndpoint(scope, id);
  if (endpoint.version !== version) reject('WEBHOOK_ENDPOINT_CHANGED', { field: ['version'] });
  const url = address === undefined ? endpoint.url : requireAddress(address);
  const isUrlChanged = url !== endpoint.url;
  const changes = {
    url,
    // Failures of the previous URL say nothing about the new one.
    failingSince: isUrlChanged ? null : undefined,
    description: description === null ? '' : description,
    eventTypes: eventTypes === null ? [] : eventTypes,
    ...touched(scope, endpoint),
  };
  return changeEntity(scope, endpoint, changes, {
    action: 'webhook_endpoint.update',
    shown: auditedEndpoint,
    noted: { isUrlChanged },
  });
}

/** Enables an endpoint for events from now on. Missed events can be replayed. */
export async function webhookEndpointEnable(
  scope: ActionScope,
  { id }: WebhookEndpointId,
): Promise<EndpointId> {
  const endpoint = await lockEndpoint(scope, id);
  if (endpoint.state === 'ENABLED') return { id };
  const enabled = {
    state: 'ENABLED',
    disabledReason: null,
    disabledAt: null,
    // Otherwise, earlier failures would count and disable the endpoint again.
    failingSince: null,
    ...touched(scope, endpoint),
  } as const;
  return changeEntity(scope, endpoint, enabled, {
    action: 'webhook_endpoint.enable',
    shown: auditedState,
  });
}

/** Disables an endpoint. Idempotent: a disabled endpoint keeps its reason. */
export async function webhookEndpointDisable(
  scope: ActionScope,
  { id }: WebhookEndpointId,
): Promise<EndpointId> {
  const endpoint = await lockEndpoint(scope, id);
  if (endpoint.state !== 'ENABLED') return { id };
  const disabled = {
    state: 'DISABLED',
    disabledReason: 'BY_OPERATOR',
    disabledAt: new Date(scope.deps.clock.nowMs()),
    ...touched(scope, endpoint),
  } as const;
  return changeEntity(scope, endpoint, disabled, {
    action: 'webhook_endpoint.disable',
    shown: auditedState,
  });
}

/** Deletes an endpoint and its secrets. Its deliveries stay in the log for the usual time. */
export async function webhookEndpointDelete(
  scope: ActionScope,
  { id }: WebhookEndpointId,
): Promise<EndpointId> {
  const { em, audit } = scope;
  const endpoint = await lockEndpoint(scope, id);
  await em.remove(endpoint).flush();
  await audit({
    action: 'webhook_endpoint.delete',
    subjectId: id,
    before: auditedEndpoint(endpoint),
  });
  return { id };
}

/** Queues a test webhook without content. Also works for a disabled endpoint. */
export async function webhookEndpointTest(
  scope: ActionScope,
  { id }: WebhookEndpointId,
): Promise<{ readonly deliveryId: string }> {
  const { em, deps, audit } = scope;
  const endpoint = await lockEndpoint(scope, id);
  const { deliveryId } = await queueTest(em, deps, endpoint);
  await audit({ action: 'webhook_endpoint.test', subjectId: id });
  return { deliveryId };
}

/** Creates a new secret. The previous secret also signs until receivers have switched. */
export async function webhookSecretRotate(
  scope: ActionScope,
  { id, overlapSeconds }: WebhookSecretRotate,
): Promise<EndpointWithSecret> {
  const endpoint = await lockEndpoint(scope, id);
  Object.assign(endpoint, touched(scope, endpoint));
  await scope.em.flush();
  const secret = await putSecret(scope, endpoint, overlapSeconds);
  await scope.audit({
    action: 'webhook_endpoint.rotate_secret',
    subjectId: id,
    after: { overlapSeconds },
  });
  return { id, secret };
}

/** Creates a secret. The replaced secret also signs during the overlap. Returns the secret sealed,
 * because the idempotency record in Postgres stores the result. */
async function putSecret(
  { em, deps }: ActionScope,
  { id: endpointId, workspaceId }: WebhookEndpoint,
  overlapSeconds: number,
): Promise<Sealed> {
  const nowMs = deps.clock.nowMs();
  const replaced = kysely(em).deleteFrom('webhook_secrets').where('endpointId', '=', endpointId);
  const isKept = overlapSeconds > 0;
  await (isKept ? replaced.where('generation', '=', 'PREVIOUS') : replaced).execute();
  await kysely(em)
    .updateTable('webhook_secrets')
    .set({ generation: 'PREVIOUS', expiresAt: new Date(nowMs + overlapSeconds * 1000) })
    .where('endpointId', '=', endpointId)
    .execute();
  const secret = secretsOf(deps).seal(webhookSecretPlace(endpointId), newWebhookSecret());
  const { keyId, sealed } = secret;
  const createdAt = new Date(nowMs);
  await kysely(em)
    .insertInto('webhook_secrets')
    .values({ endpointId, workspaceId, generation: 'CURRENT', keyId, sealed, createdAt })
    .execute();
  return secret;
}

export function lockEndpoint(scope: ActionScope, id: string): Promise<WebhookEndpoint> {
  return lockInWorkspace(scope, WebhookEndpoint, id, 'webhook endpoint');
}

/** The next version, for a change by a member. */
function touched({ deps }: ActionScope, { version }: WebhookEndpoint) {
  return { version: version + 1, updatedAt: new Date(deps.clock.nowMs()) };
}

/** The audited fields. Only the host of the URL is logged, because paths and queries often contain
 * credentials. */
function auditedEndpoint({ url, description, eventTypes, state }: WebhookEndpoint) {
  return { host: new URL(url).host, description, eventTypes: [...eventTypes], state };
}

function auditedState({ state, disabledReason }: WebhookEndpoint) {
  return { state, disabledReason };
}

type Address = {
  /** The normalized URL: the stored, displayed and checked URL is the one that is called. */
  readonly url: string;
  readonly problem: Problem | undefined;
};

async function readAddress({ deps }: Context, text: string): Promise<Address> {
  const url = URL.parse(text)?.href ?? text;
  return { url, problem: await checkWebhookUrl(url, deps.config.webhookAddresses) };
}

/** Runs inside the transaction, so that a repeat under an idempotency key has the same result. */
function requireAddress({ url, problem }: Address): string {
  if (problem === undefined) return url;
  return reject(problem.code, { field: ['url'], message: problem.message });
}
