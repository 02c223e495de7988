import { v7 as uuidV7 } from 'uuid';
import type { PostgresClient } from '../postgres/statement.ts';
import type { DevicePlatform } from './device-token.ts';

export type Registration = {
  readonly workspaceId: string;
  readonly propertyId: string | undefined;
  /** In normalized form. */
  readonly token: string;
  readonly platform: DevicePlatform;
  /** Empty if not sent. */
  readonly contactId: string;
  readonly anonymousId: string;
  readonly appVersion: string;
  readonly userAgent: string;
  readonly atMs: number;
};

/**
 * A token that is registered again within this time after its deactivation resumes the same device
 * record; later it starts a new one. In hours, because the length of a day in Postgres depends on
 * the time zone.
 */
const QUARANTINE_HOURS = 30 * 24;

/**
 * Whether a registration starts a new device record. Null, and so false, while the device is
 * active.
 */
const IS_OVER = `excluded.epoch_started_at > known.deactivated_at + interval '${QUARANTINE_HOURS} hours'`;

/**
 * Registers all of them in one statement. Several registrations of one device are merged in order.
 * All statements lock rows in the same order, so they cannot deadlock.
 */
export async function registerDevices(
  client: PostgresClient,
  registrations: readonly Registration[],
): Promise<void> {
  const devices = [...collapse(registrations).values()];
  const column = (value: (device: Registered) => string | null) => devices.map(value);
  await client.query({
    text: `INSERT INTO devices AS known (id, workspace_id, property_id, token, platform, contact_id,
             anonymous_id, app_version, user_agent, created_at, epoch_started_at, registered_at)
           SELECT row.id, row.workspace_id, row.property_id, row.token, row.platform,
                  nullif(row.contact_id, ''), nullif(row.anonymous_id, ''),
                  nullif(row.app_version, ''), nullif(row.user_agent, ''),
                  row.first_at, row.first_at, row.last_at
           FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[],
                       $7::text[], $8::text[], $9::text[], $10::timestamptz[], $11::timestamptz[])
             AS row (id, workspace_id, property_id, token, platform, contact_id, anonymous_id,
                     app_version, user_agent, first_at, last_at)
           ORDER BY row.workspace_id, row.token COLLATE "C", row.property_id NULLS FIRST
           ON CONFLICT (workspace_id, token, property_id) DO UPDATE SET
             status = 'ACTIVE',
             platform = excluded.platform,
             epoch = known.epoch + CASE WHEN ${IS_OVER} THEN 1 ELSE 0 END,
             epoch_started_at = CASE WHEN ${IS_OVER} THEN excluded.epoch_started_at
                                     ELSE known.epoch_started_at END,
             ${KEPT.map(keep).join(',\n')},
             registered_at = excluded.registered_at,
             deactivated_at = NULL,
             deactivation_reason = NULL`,
    values: [
      column(() => uuidV7()),
      column(device => device.workspaceId),
      column(device => device.propertyId ?? null),
      column(device => device.token),
      column(device => device.platform),
      column(device => device.contactId),
      column(device => device.anonymousId),
      column(device => device.appVersion),
      column(device => device.userAgent),
      column(device => instant(device.firstAtMs)),
      column(device => instant(device.atMs)),
    ],
  });
}

/** Fields that keep their values if a registration of the same record omits them. */
const KEPT = ['contact_id', 'anonymous_id', 'app_version', 'user_agent'];

function keep(column: string): string {
  return `${column} = CASE WHEN ${IS_OVER} THEN excluded.${column}
                           ELSE coalesce(excluded.${column}, known.${column}) END`;
}

type Registered = Registration & {
  /** Only the first registration may start a new record; the later ones find the device active. */
  readonly firstAtMs: number;
};

/** A statement cannot update a row twice. */
function collapse(registrations: readonly Registration[]): Map<string, Registered> {
  const devices = new Map<string, Registered>();
  for (const latest of registrations) {
    const key = `${latest.workspaceId} ${latest.propertyId ?? ''} ${latest.token}`;
    const earlier = devices.get(key);
    if (earlier === undefined) devices.set(key, { ...latest, firstAtMs: latest.atMs });
    else
      devices.set(key, {
        ...latest,
        contactId: latest.contactId || earlier.contactId,
        anonymousId: latest.anonymousId || earlier.anonymousId,
        appVersion: latest.appVersion || earlier.appVersion,
        userAgent: latest.userAgent || earlier.userAgent,
        firstAtMs: earlier.firstAtMs,
      });
  }
  return devices;
}

function instant(atMs: number): string {
  return new Date(atMs).toISOString();
}
