import { REJECTED_EVENTS_RAW } from '../../schema/rows/rejected-events-raw.ts';
import type { Problem } from '../../schema/values/problem.ts';
import type { SdkRequest } from '../sdk-request.ts';
import type { EventLog } from './event-log.ts';
import type { ParsedObject } from './parse-object.ts';

/** Appends the rejected body and its reason to rejected_events. The caller commits. */
export function keepRefused(
  log: EventLog,
  endpoint: string,
  { account, propertyIdBytes, receivedAtMs }: SdkRequest,
  body: ParsedObject,
  { code, message }: Problem,
): void {
  log.append(REJECTED_EVENTS_RAW, 0, [body], writer => {
    writer.uuid(account.workspaceIdBytes);
    writer.uuid(propertyIdBytes);
    writer.uuid(account.keyIdBytes);
    writer.text(endpoint);
    writer.text(code);
    writer.text(message);
    writer.text(idOf(body));
    writer.uint16(0);
    writer.slice(body.bytes, 0, body.bytes.length);
    writer.emptyText();
    writer.emptyText();
    writer.instantMs(receivedAtMs);
  });
}

function idOf({ value }: ParsedObject): string {
  const id = value.idempotency_key ?? value.message_id;
  return typeof id === 'string' ? id.toWellFormed() : '';
}
