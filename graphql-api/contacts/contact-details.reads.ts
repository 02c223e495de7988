// Consents, devices and exposures of a page of contacts, with one statement each.

import { EXPOSURES_MAX } from '../../schema/campaign/read-person.ts';
import type { Context } from '../platform/context.ts';
import { numberedSql } from '../platform/database/numbered-sql.ts';
import { workspaceOf } from '../platform/permit.ts';
import { Consent } from './consent.entity.ts';

export type ConsentsOfContact = {
  readonly contactId: string;
  readonly consents: readonly Consent[];
};

/** Unpaged, because a contact has few consents. */
export async function consentsByContacts(
  context: Context,
  contactIds: readonly string[],
): Promise<readonly ConsentsOfContact[]> {
  const workspaceId = workspaceOf(context.viewer);
  const em = await context.read();
  const where = { contactId: { $in: [...contactIds] }, workspaceId };
  const all = await em.find(Consent, where, { orderBy: { purpose: 'asc' } });
  const byContact = Map.groupBy(all, ({ contactId }) => contactId);
  return [...byContact].map(([contactId, consents]) => ({ contactId, consents }));
}

export type ContactDevice = {
  readonly platform: string;
  readonly status: string;
  readonly maskedToken: string;
  readonly appVersion: string | null;
  readonly registeredAt: Date;
  readonly deactivatedAt: Date | null;
};
export type DevicesOfContact = {
  readonly contactId: string;
  readonly devices: readonly ContactDevice[];
};

/** The maximum per contact. */
export const DEVICES_SHOWN_MAX = 20;
/** The maximum per contact, latest first. */
export const EXPOSURES_SHOWN_MAX = 20;

/** Apps register a device under the contact ID or the user ID. The database masks tokens, because a
 * full token would allow sending messages to the device. */
export async function devicesByContacts(
  context: Context,
  contactIds: readonly string[],
): Promise<readonly DevicesOfContact[]> {
  const workspaceId = workspaceOf(context.viewer);
  const { executeSql } = numberedSql(await context.read());
  const { rows } = await executeSql(DEVICES, [contactIds, workspaceId, DEVICES_SHOWN_MAX]);
  return (rows as { contactId: string; devices: DeviceJson[] }[]).map(row => ({
    contactId: row.contactId,
    devices: row.devices.map(device => ({
      ...device,
      registeredAt: new Date(device.registeredAt),
      deactivatedAt: device.deactivatedAt === null ? null : new Date(device.deactivatedAt),
    })),
  }));
}

type DeviceJson = Omit<ContactDevice, 'registeredAt' | 'deactivatedAt'> & {
  readonly registeredAt: string;
  readonly deactivatedAt: string | null;
};

export type ContactExposure = {
  readonly campaignId: string;
  readonly eventType: string;
  readonly occurredAt: Date;
};
export type ExposuresOfContact = {
  readonly contactId: string;
  readonly exposures: readonly ContactExposure[];
};

/** The latest exposures among the EXPOSURES_MAX that the gates read. */
export async function exposuresByContacts(
  context: Context,
  contactIds: readonly string[],
): Promise<readonly ExposuresOfContact[]> {
  const workspaceId = workspaceOf(context.viewer);
  const { executeSql } = numberedSql(await context.read());
  const { rows } = await executeSql(EXPOSURES, [contactIds, workspaceId, EXPOSURES_SHOWN_MAX]);
  return (rows as { contactId: string; exposures: ExposureJson[] }[]).map(row => ({
    contactId: row.contactId,
    exposures: row.exposures.map(exposure => ({
      ...exposure,
      occurredAt: new Date(exposure.occurredAt),
    })),
  }));
}

type ExposureJson = Omit<ContactExposure, 'occurredAt'> & { readonly occurredAt: string };

const DEVICES = `
  SELECT contact.id AS "contactId", coalesce(found.list, '[]') AS devices
  FROM contacts AS contact
  CROSS JOIN LATERAL (
    SELECT jsonb_agg(jsonb_build_object(
      'platform', platform, 'status', status, 'appVersion', app_version,
      'maskedToken', left(token, least(4, length(token) / 4)) || '…'
        || right(token, least(4, length(token) / 4)),
      'registeredAt', registered_at, 'deactivatedAt', deactivated_at
    ) ORDER BY registered_at DESC, id) AS list
    FROM (
      SELECT * FROM devices
      WHERE workspace_id = contact.workspace_id
        AND contact_id IN (contact.id::text, contact.user_id)
      ORDER BY registered_at DESC, id LIMIT $3
    ) AS device
  ) AS found
  WHERE contact.id = ANY($1::uuid[]) AND contact.workspace_id = $2`;

const EXPOSURES = `
  SELECT contact.id AS "contactId", coalesce(found.list, '[]') AS exposures
  FROM contacts AS contact
  CROSS JOIN LATERAL (
    SELECT jsonb_agg(jsonb_build_object(
      'campaignId', campaign_id, 'eventType', event_type, 'occurredAt', occurred_at
    ) ORDER BY occurred_at DESC, id) AS list
    FROM (
      SELECT * FROM (
        SELECT * FROM exposures
        WHERE workspace_id = contact.workspace_id AND user_id = contact.user_id
        ORDER BY campaign_id, event_type, occurred_at LIMIT ${EXPOSURES_MAX}
      ) AS read
      ORDER BY occurred_at DESC, id LIMIT $3
    ) AS exposure
  ) AS found
  WHERE contact.id = ANY($1::uuid[]) AND contact.workspace_id = $2`;
