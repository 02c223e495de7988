// Accepts a POST /v1/in_app/events: writes the event for analytics and, if the person is known, the
// exposure for frequency caps, which are counted in Postgres. The IDs of both rows derive from the
// idempotency key, so a retry produces the same rows.

import { IN_APP_EVENTS_RAW } from '../../schema/rows/in-app-events-raw.ts';
import { OUTBOX_EXPOSURES } from '../../schema/rows/outbox-exposures.ts';
import { derivedUuid } from '../../schema/values/derived-uuid.ts';
import { type Problem, problem } from '../../schema/values/problem.ts';
import { uuidToRowBinary } from '../../schema/values/uuid-bytes.ts';
import type { SdkRequest } from '../sdk-request.ts';
import { checkContract } from './check-contract.ts';
import type { EventLog } from './event-log.ts';
import {
  IN_APP_EVENT_TYPES,
  type InAppEventBody,
  inAppEventBody,
} from './in-app-event.contract.ts';
import type { ParsedObject } from './parse-object.ts';

export type InAppEventDeps = {
  /** A UUIDv7. */
  readonly newId: () => string;
  /** The variant assigned to the person; empty if the campaign has no variants or is not known. */
  readonly variantOf: (workspaceId: string, campaignId: string, userId: string) => string;
};

export function acceptInAppEvent(deps: InAppEventDeps) {
  return (request: SdkRequest, body: ParsedObject, log: EventLog): Problem | undefined => {
    const misdirected = checkPurpose(body);
    if (misdirected !== undefined) return misdirected;
    const checked = checkContract(inAppEventBody, body);
    if ('code' in checked) return checked;
    const report = checked.value;
    const eventKey = report.idempotency_key || deps.newId();
    const extra = body.extra(KNOWN);
    const { workspaceId } = request.account;
    const variantId =
      report.variant_id || deps.variantOf(workspaceId, report.campaign_id, report.user_id);
    appendReport(log, request, { ...report, eventKey, extra, variantId });
    if (report.user_id !== '') appendExposure(log, request, { ...report, eventKey });
    return undefined;
  };
}

const KNOWN = new Set(Object.keys(inAppEventBody.shape));
const APPLICATION_EVENT_TYPES = new Set(['track', 'identify', 'page', 'screen', 'group', 'alias']);
const ALLOWED = new Set<unknown>(IN_APP_EVENT_TYPES);

/** This check comes first, so that application events always get this error. */
function checkPurpose({ value }: ParsedObject): Problem | undefined {
  const { type, event, batch, event_type } = value;
  const isApplicationEvent =
    (typeof type === 'string' && APPLICATION_EVENT_TYPES.has(type)) ||
    event != null ||
    batch != null;
  if (isApplicationEvent) return problem('NOT_IN_APP_FEEDBACK');
  if (typeof event_type !== 'string' || event_type === '' || ALLOWED.has(event_type))
    return undefined;
  return problem(
    'NOT_IN_APP_FEEDBACK',
    `event_type must be one of ${IN_APP_EVENT_TYPES.join(', ')}. Application events go to /v1/batch.`,
  );
}

type Report = InAppEventBody & {
  readonly eventKey: string;
  readonly extra: string;
  readonly variantId: string;
};

function appendReport(log: EventLog, request: SdkRequest, report: Report): void {
  const { account, propertyIdBytes, receivedAtMs } = request;
  log.append(IN_APP_EVENTS_RAW, 0, [report], writer => {
    writer.uuid(account.workspaceIdBytes);
    writer.uuid(propertyIdBytes);
    writer.uuid(account.keyIdBytes);
    writer.text(report.campaign_id);
    writer.text(report.event_type);
    writer.text(report.eventKey);
    writer.text(report.user_id);
    writer.text(report.anonymous_id);
    writer.text(report.platform);
    writer.text(report.variantId);
    writer.text(report.journey_step_execution_id);
    writer.text(report.step_id);
    writer.text(report.extra);
    writer.instantMs(receivedAtMs);
  });
}

function appendExposure(
  log: EventLog,
  { account, receivedAtMs }: SdkRequest,
  report: InAppEventBody & { readonly eventKey: string },
): void {
  const { campaign_id, event_type, user_id, eventKey } = report;
  const identity = [account.workspaceId, 'in-app', campaign_id, event_type, user_id, eventKey];
  const exposureId = uuidToRowBinary(derivedUuid(...identity));
  log.append(OUTBOX_EXPOSURES, 0, [exposureId], (writer, id) => {
    writer.uuid(id);
    writer.uuid(account.workspaceIdBytes);
    writer.text(user_id);
    writer.text(campaign_id);
    writer.text(event_type);
    writer.instantMs(receivedAtMs);
  });
}
