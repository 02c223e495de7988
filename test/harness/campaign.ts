// Writes campaigns, people and exposures directly to Postgres.

import { v7 as uuidv7 } from 'uuid';
import { sql } from './tenant.ts';

export type CampaignOptions = {
  readonly id?: string;
  readonly name?: string;
  readonly type?: string;
  readonly status?: 'DRAFT' | 'LIVE' | 'PAUSED' | 'ARCHIVED';
  readonly surfaces?: readonly string[];
  readonly content?: unknown;
  readonly priority?: number;
  readonly startsAt?: Date;
  readonly endsAt?: Date;
  readonly audience?: unknown;
  readonly consentPurpose?: string;
  readonly endsOn?: readonly string[];
  readonly totalMax?: number;
  readonly windowMax?: number;
  readonly windowSeconds?: number;
  readonly intervalSecondsMin?: number;
  readonly isCapExempt?: boolean;
  readonly variants?: readonly { id: string; weight: number; content?: unknown }[];
  readonly createdAt?: Date;
  /** A database other than the one shared by the run. */
  readonly databaseUrl?: string;
};

/**
 * By default, a live campaign for all surfaces and all people, with a purpose that needs no
 * consent.
 */
export async function createCampaign(
  workspaceId: string,
  options: CampaignOptions = {},
): Promise<string> {
  const { id = uuidv7(), audience, createdAt = new Date() } = options;
  await sql(
    `INSERT INTO campaigns (id, workspace_id, name, type, status, surfaces, content, priority,
       starts_at, ends_at, audience, consent_purpose, ends_on, total_max, window_max,
       window_seconds, interval_seconds_min, is_cap_exempt, variants, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
       $20)`,
    [
      id,
      workspaceId,
      options.name ?? `Campaign ${id}`,
      options.type ?? 'banner',
      options.status ?? 'LIVE',
      options.surfaces ?? [],
      JSON.stringify(options.content ?? {}),
      options.priority ?? 0,
      options.startsAt ?? null,
      options.endsAt ?? null,
      audience === undefined ? null : JSON.stringify(audience),
      options.consentPurpose ?? 'service',
      options.endsOn ?? ['clicked', 'dismissed'],
      options.totalMax ?? null,
      options.windowMax ?? null,
      options.windowSeconds ?? null,
      options.intervalSecondsMin ?? null,
      options.isCapExempt ?? false,
      JSON.stringify(options.variants ?? []),
      createdAt,
    ],
    options.databaseUrl,
  );
  return id;
}

export type ContactOptions = {
  readonly userId?: string;
  readonly traits?: unknown;
  readonly isSuppressed?: boolean;
  /** The decisions by purpose. */
  readonly consents?: Readonly<Record<string, 'GRANTED' | 'DENIED'>>;
};

export async function createContact(
  workspaceId: string,
  options: ContactOptions = {},
): Promise<{ contactId: string; userId: string }> {
  const contactId = uuidv7();
  const { userId = `user-${contactId}`, traits = {}, consents = {} } = options;
  await sql(
    `INSERT INTO contacts (id, workspace_id, user_id, traits, suppressed_at)
     VALUES ($1, $2, $3, $4, CASE WHEN $5 THEN now() END)`,
    [contactId, workspaceId, userId, JSON.stringify(traits), options.isSuppressed ?? false],
  );
  for (const [purpose, status] of Object.entries(consents))
    await sql(
      'INSERT INTO consents (contact_id, purpose, workspace_id, status) VALUES ($1, $2, $3, $4)',
      [contactId, purpose, workspaceId, status],
    );
  return { contactId, userId };
}

/** Records that the person saw, clicked or dismissed the campaign some seconds ago. */
export async function expose(
  workspaceId: string,
  userId: string,
  campaignId: string,
  eventType: 'impression' | 'clicked' | 'dismissed' = 'impression',
  secondsAgo = 0,
): Promise<void> {
  await sql(
    `INSERT INTO exposures (id, workspace_id, user_id, campaign_id, event_type, occurred_at)
     VALUES ($1, $2, $3, $4, $5, now() - make_interval(secs => $6))`,
    [uuidv7(), workspaceId, userId, campaignId, eventType, secondsAgo],
  );
}

export async function setWorkspaceCaps(
  workspaceId: string,
  caps: { readonly dailyMax?: number; readonly intervalSecondsMin?: number },
): Promise<void> {
  await sql(
    `UPDATE workspaces SET in_app_daily_max = $2, in_app_interval_seconds_min = $3 WHERE id = $1`,
    [workspaceId, caps.dailyMax ?? null, caps.intervalSecondsMin ?? null],
  );
}
