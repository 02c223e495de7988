// Consents, devices and exposures of a page of contacts, with one statement each.

import { EXPOSURES_MAX } from '../../schema/campaign/read-person.ts';
import type { Context } from '../platform/context.ts';
import { rowsOf, sql } from '../platform/database/kysely.ts';
import { workspaceOf } from '../platform/permit.ts';
import { Consent } from './consent.entity.ts';

type OfContact = { readonly contactId: string };

/** Unpaged, because a contact has few consents. */
export async function consentsByContacts(context: Context, contactIds: readonly string[]) {
  const workspaceId = workspaceOf(context.viewer);
  const em = await context.read();
  const where = { contactId: { $in: [...contactIds] }, workspaceId };
  return byContact(await em.find(Consent, where, { orderBy: { purpose: 'asc' } }));
}

export type ContactDevice = OfContact & {
  readonly platform: string;
  readonly status: string;
  readonly maskedToken: string;
  readonly appVersion: string | null;
  readonly registeredAt: Date;
  readonly deactivatedAt: Date | null;
};

/** The maximum per contact. */
export const DEVICES_SHOWN_MAX = 20;
/** The maximum per contact, latest first. */
export const EXPOSURES_SHOWN_MAX = 20;

/** Apps register a device under the contact ID or the user ID. The database masks tokens, because a
 * full token would allow sending messages to the device. */
export async function devicesByContacts(context: Context, contactIds: readonly string[]) {
  const workspaceId = workspaceOf(context.viewer);
  const devices = await rowsOf(
    await context.read(),
    sql<ContactDevice>`
      SELECT contact.id AS contact_id, device.platform, device.status, device.app_version,
             left(token, least(4, length(token) / 4)) || '…'
               || right(token, least(4, length(token) / 4)) AS masked_token,
             registered_at, deactivated_at
      FROM contacts contact
      CROSS JOIN LATERAL (
        SELECT * FROM devices
        WHERE workspace_id = contact.workspace_id
          AND contact_id IN (contact.id::text, contact.user_id)
        ORDER BY registered_at DESC, id LIMIT ${DEVICES_SHOWN_MAX}) device
      WHERE contact.id = ANY(${contactIds}) AND contact.workspace_id = ${workspaceId}
      ORDER BY registered_at DESC, device.id`,
  );
  return byContact(devices);
}

export type ContactExposure = OfContact & {
  readonly campaignId: string;
  readonly eventType: string;
  readonly occurredAt: Date;
};

/** The latest exposures among the EXPOSURES_MAX that the gates read. */
export async function exposuresByContacts(context: Context, contactIds: readonly string[]) {
  const workspaceId = workspaceOf(context.viewer);
  const exposures = await rowsOf(
    await context.read(),
    sql<ContactExposure>`
      SELECT contact.id AS contact_id, campaign_id, event_type, occurred_at
      FROM contacts contact
      CROSS JOIN LATERAL (
        SELECT * FROM (
          SELECT * FROM exposures
          WHERE workspace_id = contact.workspace_id AND user_id = contact.user_id
          ORDER BY campaign_id, event_type, occurred_at LIMIT ${EXPOSURES_MAX}) read
        ORDER BY occurred_at DESC, id LIMIT ${EXPOSURES_SHOWN_MAX}) exposure
      WHERE contact.id = ANY(${contactIds}) AND contact.workspace_id = ${workspaceId}
      ORDER BY occurred_at DESC, exposure.id`,
  );
  return byContact(exposures);
}

function byContact<Row extends OfContact>(rows: readonly Row[]) {
  const groups = Map.groupBy(rows, ({ contactId }) => contactId);
  return Array.from(groups, ([contactId, items]) => ({ contactId, items }));
}
