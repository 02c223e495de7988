import type { RealisticEvent } from './batch.ts';
import type { Tenant } from './tenant.ts';

export type ExpectedRow = Record<string, string> & { message_id: string };

/** The row that analysts must see for a sent event: every column that the client determines. */
export function expectedRow(event: RealisticEvent, tenant: Tenant): ExpectedRow {
  return {
    message_id: event.messageId,
    type: event.type,
    event: event.event ?? '',
    name: event.name ?? '',
    timestamp: event.timestamp,
    timestamp_text: '',
    anonymous_id: event.anonymousId,
    user_id: event.userId ?? '',
    session_id: event.sessionId,
    properties: event.properties ?? '',
    traits: event.traits ?? '',
    context: event.context ?? '',
    extra: '',
    batch_context: '',
    batch_extra: '',
    sdk_key_id: tenant.keyId,
  };
}
