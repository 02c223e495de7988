// Sets, rotates and removes the gateway credentials of the viewer's workspace.

import { type GatewaySecretField, gatewaySecretPlace } from '../../schema/gateway/secret-place.ts';
import { kysely } from '../platform/database/kysely.ts';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';
import { secretsOf } from '../platform/secrets.ts';
import {
  GATEWAY_SECRET_FIELDS,
  type GatewayCredentialsSet,
  type GatewaySecretName,
  type GatewaySecretRotate,
} from './credentials.contract.ts';
import { GatewayCredentials } from './credentials.entity.ts';
import { credentialsWarnings } from './credentials.reads.ts';

/**
 * Sets the gateway credentials of the viewer's workspace. Omitted secrets are unchanged, unless the
 * account changes. Secrets that are given take effect immediately.
 */
export async function gatewayCredentialsSet(
  scope: ActionScope,
  input: GatewayCredentialsSet,
): Promise<{ readonly workspaceId: string }> {
  const { em, deps, audit } = scope;
  const { workspaceId, credentials } = await lockGatewayCredentials(scope);
  if ((input.version ?? undefined) !== credentials?.version) reject('GATEWAY_CREDENTIALS_CHANGED');
  const before = credentials && auditedCredentials(credentials);
  const isOtherAccount =
    credentials?.clientId !== (input.appId ?? null) || credentials?.environment !== input.mode;
  checkSecrets(input, isOtherAccount);
  const now = new Date(deps.clock.nowMs());
  const row =
    credentials ??
    em.create(GatewayCredentials, {
      workspaceId,
      ...settings(input),
      createdAt: now,
      updatedAt: now,
    });
  if (credentials !== undefined) {
    em.assign(row, { ...settings(input), version: row.version + 1, updatedAt: now });
    if (isOtherAccount) em.assign(row, { checkedAt: null, checkResult: null });
  }
  await em.persist(row).flush();
  if (isOtherAccount) await deleteSecrets(scope, workspaceId);
  const given = givenSecrets(input);
  for (const [name, text] of given) {
    const field = GATEWAY_SECRET_FIELDS[name];
    await putGatewaySecret(scope, { workspaceId, field, text, overlapSeconds: 0 });
  }
  await warnOfSecrets(scope, workspaceId, input.onboarding);
  await audit({
    action: 'gateway_credentials.set',
    subjectId: workspaceId,
    ...(before && { before }),
    after: { ...auditedCredentials(row), secretsSet: given.map(([name]) => name) },
  });
  return { workspaceId };
}

/**
 * Replaces a secret. The previous one stays valid during the overlap, for webhooks that were signed
 * with it.
 */
export async function gatewaySecretRotate(
  scope: ActionScope,
  { secret, value, overlapSeconds }: GatewaySecretRotate,
): Promise<{ readonly workspaceId: string }> {
  const { em, deps, audit } = scope;
  const { workspaceId, credentials } = await lockGatewayCredentials(scope);
  if (credentials?.mode !== 'BYOM')
    reject('NOT_FOUND', { message: 'No payment gateway credentials are set for this workspace.' });
  const field = GATEWAY_SECRET_FIELDS[secret];
  await putGatewaySecret(scope, { workspaceId, field, text: value, overlapSeconds });
  em.assign(credentials, {
    version: credentials.version + 1,
    updatedAt: new Date(deps.clock.nowMs()),
  });
  await em.flush();
  await warnOfSecrets(scope, workspaceId, 'BYOM');
  await audit({
    action: 'gateway_credentials.rotate',
    subjectId: workspaceId,
    after: { secret, overlapSeconds },
  });
  return { workspaceId };
}

/** The workspace becomes managed. Webhooks from its own account are then rejected. */
export async function gatewayCredentialsRemove(
  scope: ActionScope,
): Promise<{ readonly workspaceId: string }> {
  const { em, audit } = scope;
  const { workspaceId, credentials } = await lockGatewayCredentials(scope);
  if (credentials === undefined)
    reject('NOT_FOUND', { message: 'No payment gateway credentials are set for this workspace.' });
  // Delete explicitly, so that the trigger that notifies ingest also runs when the rows are removed
  // by a cascade.
  await deleteSecrets(scope, workspaceId);
  await em.nativeDelete(GatewayCredentials, { workspaceId });
  await audit({
    action: 'gateway_credentials.remove',
    subjectId: workspaceId,
    before: auditedCredentials(credentials),
  });
  return { workspaceId };
}

function settings({ onboarding, mode, appId }: GatewayCredentialsSet) {
  return { mode: onboarding, environment: mode, clientId: appId ?? null };
}

function checkSecrets(input: GatewayCredentialsSet, isOtherAccount: boolean): void {
  const bad = (field: string, message: string) =>
    reject('BAD_USER_INPUT', { field: [field], message });
  if (input.onboarding === 'MANAGED') {
    if (input.appId != null || givenSecrets(input).length > 0)
      bad('onboarding', 'If onboarding is MANAGED, credentials must not be set.');
    return;
  }
  if (input.appId == null) bad('appId', 'appId is required for BYOM.');
  if (isOtherAccount && input.secretKey == null)
    bad('secretKey', 'secretKey is required for a new appId or mode.');
}

function givenSecrets(input: GatewayCredentialsSet): [GatewaySecretName, string][] {
  const all: [GatewaySecretName, string | null | undefined][] = [
    ['SECRET_KEY', input.secretKey],
    ['WEBHOOK_SECRET', input.webhookSecret],
    ['WEBHOOK_SECRET_SECONDARY', input.webhookSecretSecondary],
  ];
  return all.filter((entry): entry is [GatewaySecretName, string] => entry[1] != null);
}

type NewSecret = {
  readonly workspaceId: string;
  readonly field: GatewaySecretField;
  readonly text: string;
  /** How long the previous secret is still accepted; 0 rejects it immediately. */
  readonly overlapSeconds: number;
};

/** Enough to tell secrets apart. */
const SHOWN_CHARACTERS = 4;

/** Seals a secret and replaces the current one. The credentials row must exist and be locked. */
async function putGatewaySecret(
  scope: ActionScope,
  { workspaceId, field, text, overlapSeconds }: NewSecret,
): Promise<void> {
  const { em, deps } = scope;
  const nowMs = deps.clock.nowMs();
  const place = gatewaySecretPlace(workspaceId, field);
  await deleteSecrets(scope, workspaceId, { field, generation: 'PREVIOUS' });
  // Calls to the gateway always use the current secret, so only webhook secrets have an overlap.
  if (overlapSeconds > 0 && field !== 'client_secret')
    await kysely(em)
      .updateTable('gateway_secrets')
      .set({ generation: 'PREVIOUS', expiresAt: new Date(nowMs + overlapSeconds * 1000) })
      .where('workspaceId', '=', workspaceId)
      .where('field', '=', field)
      .where('generation', '=', 'CURRENT')
      .execute();
  else await deleteSecrets(scope, workspaceId, { field });
  await kysely(em)
    .insertInto('gateway_secrets')
    .values({
      workspaceId,
      field,
      generation: 'CURRENT',
      ...secretsOf(deps).seal(place, text),
      fingerprint: text.slice(-SHOWN_CHARACTERS),
      createdAt: new Date(nowMs),
    })
    .execute();
}

async function deleteSecrets(
  { em }: ActionScope,
  workspaceId: string,
  which: { readonly field?: GatewaySecretField; readonly generation?: 'PREVIOUS' } = {},
): Promise<void> {
  await kysely(em)
    .deleteFrom('gateway_secrets')
    .where(eb => eb.and({ workspaceId, ...which }))
    .execute();
}

type LockedCredentials = {
  readonly workspaceId: string;
  /** Undefined if the workspace has none. */
  readonly credentials: GatewayCredentials | undefined;
};

/**
 * Locks the credentials of the viewer's workspace. The advisory lock also serializes requests that
 * set the first ones.
 */
async function lockGatewayCredentials(scope: ActionScope): Promise<LockedCredentials> {
  const workspaceId = workspaceOf(scope.viewer);
  await oneAtATime(scope, `gateway_credentials of ${workspaceId}`);
  const credentials = await scope.em.findOne(GatewayCredentials, { workspaceId });
  return { workspaceId, credentials: credentials ?? undefined };
}

/** Logs the warnings, because nobody may open the dashboard before payments are missed. */
async function warnOfSecrets(
  { em, deps }: ActionScope,
  workspaceId: string,
  onboarding: GatewayCredentials['mode'],
): Promise<void> {
  const secrets = kysely(em).selectFrom('gateway_secrets').select('field');
  const rows = await secrets
    .where('workspaceId', '=', workspaceId)
    .where('generation', '=', 'CURRENT')
    .execute();
  const fields = rows.map(({ field }) => field);
  for (const { code, message } of credentialsWarnings(onboarding, fields))
    deps.log.warn({ workspaceId, code }, message);
}

/** The values for the audit log. They never include secrets. */
function auditedCredentials({ mode, environment, clientId }: GatewayCredentials) {
  return { onboarding: mode, mode: environment, appId: clientId ?? null };
}
