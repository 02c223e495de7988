// Accepts a POST /api/v1/in_app/responses. The payload is stored as the text that was sent.

import { IN_APP_RESPONSES_RAW } from '../../schema/rows/in-app-responses-raw.ts';
import { derivedUuid } from '../../schema/values/derived-uuid.ts';
import type { Problem } from '../../schema/values/problem.ts';
import type { SdkRequest } from '../sdk-request.ts';
import { checkContract } from './check-contract.ts';
import type { EventLog } from './event-log.ts';
import { type InAppResponseBody, inAppResponseBody } from './in-app-response.contract.ts';
import type { ParsedObject } from './parse-object.ts';

type InAppResponseDeps = {
  /** A UUIDv7. */
  readonly newId: () => string;
};

export function acceptInAppResponse({ newId }: InAppResponseDeps) {
  return (request: SdkRequest, body: ParsedObject, log: EventLog): Problem | undefined => {
    const checked = checkContract(inAppResponseBody, body);
    if ('code' in checked) return checked;
    const response = checked.value;
    const payload = body.text('payload');
    const key = response.idempotency_key || contentKey(request, response, payload) || newId();
    const extra = body.extra(KNOWN);
    const { account, propertyIdBytes, receivedAtMs } = request;
    log.append(IN_APP_RESPONSES_RAW, 0, [response], writer => {
      writer.uuid(account.workspaceIdBytes);
      writer.uuid(propertyIdBytes);
      writer.uuid(account.keyIdBytes);
      writer.text(response.campaign_id);
      writer.text(response.response_type);
      writer.text(key);
      writer.text(response.platform);
      writer.text(response.user_id);
      writer.text(response.contact_id);
      writer.text(response.variant_id);
      writer.text(payload);
      writer.text(scoreText(response.payload.score));
      writer.text(extra);
      writer.instantMs(receivedAtMs);
    });
    return undefined;
  };
}

const KNOWN = new Set(Object.keys(inAppResponseBody.shape));
const DATE_CHARACTERS = 'YYYY-MM-DD'.length;

/**
 * Derives the key of a response without an idempotency key. An SDK that received no response
 * retries, and a person rarely gives the same response twice a day, so identical responses of one
 * person on one UTC day are duplicates. Empty without a known person, because such responses cannot
 * be told apart from retries.
 */
function contentKey(request: SdkRequest, response: InAppResponseBody, payload: string): string {
  const { user_id, contact_id, campaign_id, response_type, variant_id } = response;
  if (user_id === '' && contact_id === '') return '';
  const day = new Date(request.receivedAtMs).toISOString().slice(0, DATE_CHARACTERS);
  return derivedUuid(user_id, contact_id, campaign_id, response_type, variant_id, payload, day);
}

/**
 * ClickHouse cannot extract the score from JSON text that has an unrepresentable number or string.
 */
function scoreText(score: unknown): string {
  return typeof score === 'number' && Number.isFinite(score) ? String(score) : '';
}
