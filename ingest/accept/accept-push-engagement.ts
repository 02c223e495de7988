// Accepts a POST /v1/push/engagement: writes the delivery (the warehouse keeps the furthest
// status), an activity feed card and the outbound events for webhook endpoints.

import { ACTIVITY_CARDS_RAW } from '../../schema/rows/activity-cards-raw.ts';
import { DELIVERIES_RAW } from '../../schema/rows/deliveries-raw.ts';
import { DELIVERY_LINKS_RAW } from '../../schema/rows/delivery-links-raw.ts';
import { OUTBOX_OUTBOUND_EVENTS } from '../../schema/rows/outbox-outbound-events.ts';
import { type Problem, problem } from '../../schema/values/problem.ts';
import { uuidToRowBinary } from '../../schema/values/uuid-bytes.ts';
import type { SdkRequest } from '../sdk-request.ts';
import { checkContract } from './check-contract.ts';
import type { EventLog } from './event-log.ts';
import type { ParsedObject } from './parse-object.ts';
import { type PushDelivery, pushOutcome } from './push-delivery.ts';
import { type PushEngagementBody, pushEngagementBody } from './push-engagement.contract.ts';

type PushEngagementDeps = {
  /** A UUIDv7. */
  readonly newId: () => string;
};

export function acceptPushEngagement({ newId }: PushEngagementDeps) {
  return (request: SdkRequest, body: ParsedObject, log: EventLog): Problem | undefined => {
    const checked = checkContract(pushEngagementBody, body);
    if ('code' in checked) return checked;
    const { propertyId } = request;
    if (propertyId === undefined) return MISSING_PROPERTY;
    const report: Report = {
      ...checked.value,
      user_id: checked.value.user_id || checked.value.contact_id,
      metadataText: body.text('metadata'),
      extra: body.extra(KNOWN),
    };
    const sent = identityOf(request, propertyId, checked.value);
    const { delivery, cardId } = pushOutcome(sent, newId);
    if (delivery !== undefined) {
      appendDelivery(log, request, report, delivery);
      appendLinks(log, request, delivery);
      appendNotices(log, request, { ...report, property_id: propertyId }, delivery);
    }
    appendCard(log, request, report, cardId, delivery);
    return undefined;
  };
}

const CHANNEL = 'push';
const KNOWN = new Set(Object.keys(pushEngagementBody.shape));
const NO_DELIVERY = new Uint8Array(16);
const MISSING_PROPERTY = problem(
  'MISSING_FIELD',
  'property_id is missing or empty; send it in the body or in X-Property-Id.',
);

type Report = PushEngagementBody & {
  /** As sent; empty if absent. */
  readonly metadataText: string;
  readonly extra: string;
};

function identityOf({ account }: SdkRequest, propertyId: string, report: PushEngagementBody) {
  return {
    eventType: report.event_type,
    workspaceId: account.workspaceId,
    propertyId,
    messageId: report.message_id,
    userId: report.user_id,
    contactId: report.contact_id,
    anonymousId: report.anonymous_id,
  };
}

function appendDelivery(
  log: EventLog,
  { account, propertyIdBytes, receivedAtMs }: SdkRequest,
  report: Report,
  delivery: PushDelivery,
): void {
  log.append(DELIVERIES_RAW, 0, [report], writer => {
    writer.uuid(account.workspaceIdBytes);
    writer.uuid(propertyIdBytes);
    writer.uuid(account.keyIdBytes);
    writer.text(CHANNEL);
    writer.uuid(uuidToRowBinary(delivery.storedId));
    writer.text(delivery.status);
    writer.uint16(delivery.rank);
    writer.text(report.event_type);
    writer.text(report.platform);
    writer.text(report.campaign_id);
    writer.text(report.message_id);
    writer.text(report.user_id);
    writer.text(report.contact_id);
    writer.text(report.anonymous_id);
    writer.text(report.metadataText);
    writer.text(report.extra);
    writer.instantMs(receivedAtMs);
  });
}

function appendLinks(
  log: EventLog,
  { account, receivedAtMs }: SdkRequest,
  { links }: PushDelivery,
): void {
  if (links.length === 0) return;
  log.append(DELIVERY_LINKS_RAW, 0, links, (writer, link) => {
    writer.uuid(account.workspaceIdBytes);
    writer.uuid(uuidToRowBinary(link.storedId));
    writer.uuid(uuidToRowBinary(link.id));
    writer.uint16(link.rank);
    writer.instantMs(receivedAtMs);
  });
}

function appendCard(
  log: EventLog,
  { account, propertyIdBytes, receivedAtMs }: SdkRequest,
  report: Report,
  cardId: string,
  delivery: PushDelivery | undefined,
): void {
  log.append(ACTIVITY_CARDS_RAW, 0, [report], writer => {
    writer.uuid(account.workspaceIdBytes);
    writer.uuid(propertyIdBytes);
    writer.uuid(uuidToRowBinary(cardId));
    writer.text(report.event_type);
    writer.text(CHANNEL);
    writer.text(report.user_id);
    writer.text(report.contact_id);
    writer.text(report.anonymous_id);
    writer.uuid(delivery === undefined ? NO_DELIVERY : uuidToRowBinary(delivery.id));
    writer.text(report.campaign_id);
    writer.text(report.message_id);
    writer.text(report.platform);
    writer.text(detailsOf(report));
    writer.instantMs(receivedAtMs);
  });
}

function appendNotices(
  log: EventLog,
  { account, receivedAtMs }: SdkRequest,
  report: Report,
  { id, storedId, named, otherNames, notices }: PushDelivery,
): void {
  if (notices.length === 0) return;
  const payload = payloadOf(report, id, new Date(receivedAtMs).toISOString());
  log.append(OUTBOX_OUTBOUND_EVENTS, 0, notices, (writer, notice) => {
    writer.uuid(uuidToRowBinary(notice.id));
    writer.uuid(account.workspaceIdBytes);
    writer.text(notice.type);
    writer.text(payload);
    writer.instantMs(receivedAtMs);
    writer.uint16(named);
    writer.uuid(uuidToRowBinary(storedId));
    writer.text(otherNames.join(','));
  });
}

/** The fields without a column of the card, each as the text that was sent. */
function detailsOf({ metadataText, extra }: Report): string {
  const parts: string[] = [];
  if (metadataText !== '') parts.push(`"metadata":${metadataText}`);
  if (extra !== '') parts.push(`"extra":${extra}`);
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}

function payloadOf(report: Report, deliveryId: string, occurredAt: string): string {
  const known = JSON.stringify({
    delivery_id: deliveryId,
    channel: CHANNEL,
    campaign_id: report.campaign_id,
    message_id: report.message_id,
    user_id: report.user_id,
    contact_id: report.contact_id,
    anonymous_id: report.anonymous_id,
    platform: report.platform,
    property_id: report.property_id,
    occurred_at: occurredAt,
  });
  // The metadata is kept as sent, because parsing and printing could change its numbers.
  return `${known.slice(0, -1)},"metadata":${report.metadataText || '{}'}}`;
}
