import type { EntityManager } from '@mikro-orm/postgresql';
import type { GatewaySecretField } from '../../schema/gateway/secret-place.ts';
import type { Context } from '../platform/context.ts';
import { kysely } from '../platform/database/kysely.ts';
import { workspaceOf } from '../platform/permit.ts';
import { GatewayCredentials } from './credentials.entity.ts';

/** What the API returns about a secret that is set. */
export type SecretShown = {
  readonly fingerprint: string;
  readonly setAt: Date;
  /** When the previous secret expires; undefined if it is no longer accepted. */
  readonly previousUntil: Date | undefined;
};

export type GatewayCredentialsView = {
  readonly credentials: GatewayCredentials;
  readonly secrets: ReadonlyMap<GatewaySecretField, SecretShown>;
  readonly warnings: readonly CredentialsWarning[];
};

export type CredentialsWarning = {
  readonly code: 'ONLY_ONE_WEBHOOK_SECRET' | 'NO_WEBHOOK_SECRET';
  readonly message: string;
};

/** The credentials of the viewer's workspace; undefined if none are set. */
export async function gatewayCredentials(
  context: Context,
): Promise<GatewayCredentialsView | undefined> {
  const workspaceId = workspaceOf(context.viewer);
  const em = await context.read();
  const credentials = await em.findOne(GatewayCredentials, { workspaceId });
  if (credentials === null) return undefined;
  const secrets = await secretsShown(em, workspaceId, context.deps.clock.nowMs());
  const warnings = credentialsWarnings(credentials.mode, [...secrets.keys()]);
  return { credentials, secrets, warnings };
}

/** Warnings about missing secrets, which cause webhooks to be rejected. */
export function credentialsWarnings(
  onboarding: GatewayCredentials['mode'],
  fields: readonly GatewaySecretField[],
): CredentialsWarning[] {
  if (onboarding === 'MANAGED') return [];
  const hasPrimary = fields.includes('webhook_secret');
  const hasSecondary = fields.includes('abandoned_checkout_secret');
  if (hasPrimary && hasSecondary) return [];
  if (!hasPrimary && !hasSecondary)
    return [
      {
        code: 'NO_WEBHOOK_SECRET',
        message: 'No webhook secret is set. All gateway webhooks are refused.',
      },
    ];
  const [missing, lost] = hasPrimary
    ? ['webhookSecretSecondary', 'events about abandoned payment links']
    : ['webhookSecret', 'all events except those about abandoned payment links'];
  return [
    {
      code: 'ONLY_ONE_WEBHOOK_SECRET',
      message: `Only one of the two webhook secrets is set. Without ${missing}, ${lost} are refused.`,
    },
  ];
}

async function secretsShown(
  em: EntityManager,
  workspaceId: string,
  nowMs: number,
): Promise<Map<GatewaySecretField, SecretShown>> {
  const secrets = kysely(em).selectFrom('gateway_secrets').where('workspaceId', '=', workspaceId);
  const rows = await secrets
    .select(['field', 'generation', 'fingerprint', 'createdAt', 'expiresAt'])
    .execute();
  const shown = new Map<GatewaySecretField, SecretShown>();
  for (const row of rows.filter(({ generation }) => generation === 'CURRENT')) {
    const previous = rows.find(
      ({ field, generation }) => field === row.field && generation === 'PREVIOUS',
    );
    const until = previous?.expiresAt;
    shown.set(row.field, {
      fingerprint: row.fingerprint,
      setAt: row.createdAt,
      previousUntil: until != null && until.getTime() > nowMs ? until : undefined,
    });
  }
  return shown;
}
