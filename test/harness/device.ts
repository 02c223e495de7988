import { randomBytes } from 'node:crypto';
import { sql } from './tenant.ts';

export type DeviceRow = {
  readonly property_id: string | null;
  readonly token: string;
  readonly platform: string;
  readonly status: string;
  readonly epoch: number;
  readonly contact_id: string | null;
  readonly anonymous_id: string | null;
  readonly app_version: string | null;
  readonly user_agent: string | null;
  readonly created_at: Date;
  readonly epoch_started_at: Date;
  readonly registered_at: Date;
  readonly deactivated_at: Date | null;
  readonly deactivation_reason: string | null;
};

/** In the format of APNs. */
export function newIosToken(): string {
  return randomBytes(32).toString('hex');
}

/** In the format of FCM. */
export function newAndroidToken(): string {
  return `${randomBytes(16).toString('base64url')}:APA91b${randomBytes(100).toString('base64url')}`;
}

/** The devices of a workspace, by token and property. */
export async function deviceRows(workspaceId: string): Promise<DeviceRow[]> {
  const found = await sql(
    `SELECT property_id, token, platform, status, epoch, contact_id, anonymous_id, app_version,
            user_agent, created_at, epoch_started_at, registered_at, deactivated_at,
            deactivation_reason
     FROM devices WHERE workspace_id = $1
     ORDER BY token COLLATE "C", property_id NULLS FIRST`,
    [workspaceId],
  );
  return found as unknown as DeviceRow[];
}
