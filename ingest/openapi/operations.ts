// Every operation for SDKs, with its possible responses.

import { z } from 'zod';
import type { ProblemCode } from '../../schema/values/problem.ts';
import { activeCampaign, activeCampaigns } from '../accept/active-campaign.contract.ts';
import { batchBody } from '../accept/batch.contract.ts';
import { deviceDeactivateBody, deviceRegisterBody } from '../accept/device.contract.ts';
import { inAppEventBody } from '../accept/in-app-event.contract.ts';
import { inAppResponseBody } from '../accept/in-app-response.contract.ts';
import { pushEngagementBody } from '../accept/push-engagement.contract.ts';
import { widgetAckBody } from '../accept/widget-ack.contract.ts';
import { gatewayWebhookBody } from '../gateway/webhook.contract.ts';
import { CLIENT_OPERATIONS } from './client-operations.ts';
import { COMPATIBLE_OPERATIONS } from './compatible-operations.ts';
import type { Operation, Parameter } from './operation.ts';
import { POSTHOG_OPERATIONS } from './posthog-operations.ts';

const header = (name: string, description: string): Parameter => {
  return { name, in: 'header', required: false, description };
};
const ORGANIZATION = header(
  'X-Organization-ID',
  'The ID of the organization that owns the write key. Any other ID is refused with 403.',
);
const PROPERTY = header(
  'X-Property-Id',
  'The ID of a property in the write key’s workspace. Any other ID is refused with 403.',
);
const CONTACT = header(
  'X-Contact-ID',
  'The contact’s ID, assigned by this service or by the application. Together with X-User-ID, it identifies the person.',
);
const USER = header('X-User-ID', 'The person’s user ID in the application.');

const WHO: readonly ProblemCode[] = ['INVALID_WRITE_KEY', 'ORIGIN_NOT_ALLOWED', 'TENANT_MISMATCH'];
const ALWAYS: readonly ProblemCode[] = [...WHO, 'RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE'];
const BODY: readonly ProblemCode[] = [
  'MALFORMED_JSON',
  'MALFORMED_ENCODING',
  'INVALID_BODY',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'UNSUPPORTED_ENCODING',
];
const FIELDS: readonly ProblemCode[] = [
  'MISSING_FIELD',
  'INVALID_FIELD',
  'INVALID_STRING',
  'FIELD_TOO_LONG',
  'NESTING_TOO_DEEP',
  'KEY_TOO_LONG',
  'VALUE_TOO_LARGE',
];
const POSTED: readonly ProblemCode[] = [...FIELDS, ...BODY, ...ALWAYS];
const SPOOLED: readonly ProblemCode[] = [...POSTED, 'CELL_UNAVAILABLE'];

const success = z.object({ status: z.literal('SUCCESS') });
const ON_DISK = {
  description: 'The data is on disk.',
  schema: success,
  example: { status: 'SUCCESS' },
};
const COMMITTED = { ...ON_DISK, description: 'The change is committed in Postgres.' };

export const OPERATIONS: readonly Operation[] = [
  {
    tag: 'Events',
    operationId: 'postBatch',
    method: 'post',
    path: '/v1/batch',
    summary: 'Send application events',
    description:
      'Accepts track, identify, page, screen, group and alias events. If some events are invalid, the valid ones are stored and the response is 400: `accepted` is the number of stored events, and `rejected` lists the invalid ones.',
    isWithoutKeyHeader: true,
    parameters: [ORGANIZATION, PROPERTY],
    body: batchBody,
    answer: {
      description: 'All events are on disk.',
      schema: success.extend({ accepted: z.int() }),
      example: { status: 'SUCCESS', accepted: 1 },
    },
    problems: [
      'EVENTS_REJECTED',
      'MISSING_WRITE_KEY',
      'INVALID_SENT_AT',
      'INVALID_BATCH',
      'EMPTY_BATCH',
      'TOO_MANY_EVENTS',
      'INVALID_CONTEXT',
      ...BODY,
      ...ALWAYS,
      'CELL_UNAVAILABLE',
    ],
  },
  {
    tag: 'In-app',
    operationId: 'postInAppEvent',
    method: 'post',
    path: '/v1/in_app/events',
    summary: 'Record an interaction with an in-app campaign',
    description:
      'Records impressions, clicks and dismissals of in-app campaigns. Send feedback on widgets queued by a journey to /v1/in-app/widgets/{step_execution_id}/ack, and application events to /v1/batch.',
    parameters: [ORGANIZATION, PROPERTY],
    body: inAppEventBody,
    answer: ON_DISK,
    problems: ['NOT_IN_APP_FEEDBACK', ...SPOOLED],
  },
  {
    tag: 'Push',
    operationId: 'postPushEngagement',
    method: 'post',
    path: '/v1/push/engagement',
    summary: 'Record an engagement with a push notification',
    description:
      'Records one delivery per message and person, and one activity card per event. The status of a delivery only moves forward.',
    parameters: [ORGANIZATION, PROPERTY],
    body: pushEngagementBody,
    answer: ON_DISK,
    problems: SPOOLED,
  },
  {
    tag: 'Push',
    operationId: 'registerDevice',
    method: 'post',
    path: '/v1/devices/register',
    summary: 'Register a device token',
    description: 'Creates or updates the device record for this property and token. Idempotent.',
    parameters: [ORGANIZATION, PROPERTY],
    body: deviceRegisterBody,
    answer: COMMITTED,
    problems: POSTED,
  },
  {
    tag: 'Push',
    operationId: 'deactivateDevice',
    method: 'post',
    path: '/v1/devices/deactivate',
    summary: 'Deactivate a device token',
    description:
      'If the token is registered again within 30 days, its history continues. A later registration starts a new history.',
    parameters: [ORGANIZATION, PROPERTY],
    body: deviceDeactivateBody,
    answer: COMMITTED,
    problems: POSTED,
  },
  {
    tag: 'In-app',
    operationId: 'activeCampaigns',
    method: 'get',
    path: '/v1/in-app/active',
    summary: 'List the campaigns and widgets to show a person',
    description:
      'Returns the in-app campaigns and journey widgets to show this person now, by priority. Frequency caps count reported impressions, not requests to this endpoint. If neither X-Contact-ID nor X-User-ID is sent, returns the campaigns that are open to everyone.',
    parameters: [
      {
        name: 'current_surface',
        in: 'query',
        required: false,
        description: 'Filters by surface. Campaigns for other surfaces are omitted.',
        example: 'storefront_catalog',
      },
      ORGANIZATION,
      PROPERTY,
      CONTACT,
      USER,
    ],
    answer: {
      description: 'At most 50 campaigns and widgets, highest priority first.',
      schema: activeCampaigns,
      example: [activeCampaign.meta()?.example],
    },
    problems: ['INVALID_FIELD', 'FIELD_TOO_LONG', ...ALWAYS],
  },
  {
    tag: 'In-app',
    operationId: 'ackWidget',
    method: 'post',
    path: '/v1/in-app/widgets/{step_execution_id}/ack',
    summary: 'Acknowledge a widget queued by a journey',
    description:
      'Advances the state of the widget. States only move forward. The first click or dismissal resumes the journey.',
    parameters: [
      {
        name: 'step_execution_id',
        in: 'path',
        required: true,
        description: 'The journey_step_execution_id of the widget.',
        example: '01938f6e-6a2b-7c3d-8e4f-5a6b7c8d9e0f',
      },
      ORGANIZATION,
      PROPERTY,
    ],
    body: widgetAckBody,
    answer: {
      ...COMMITTED,
      description: 'The change is committed in Postgres, and the event for analytics is on disk.',
    },
    problems: ['WIDGET_NOT_FOUND', ...SPOOLED],
  },
  {
    tag: 'In-app',
    operationId: 'postInAppResponse',
    method: 'post',
    path: '/api/v1/in_app/responses',
    summary: 'Record a response to a campaign or widget',
    description: 'Accepts structured responses to in-app campaigns and journey widgets.',
    parameters: [ORGANIZATION, PROPERTY],
    body: inAppResponseBody,
    answer: ON_DISK,
    problems: SPOOLED,
  },
  {
    tag: 'Payments',
    operationId: 'postGatewayWebhook',
    method: 'post',
    path: '/v1/webhooks/payment/gateway',
    summary: 'Receive webhooks from the payment gateway',
    description:
      'Verifies the signature and stores the body byte for byte, so proxies must not re-encode it. The response is also 200 for repeated events and for events of an unknown type, because the gateway retries until it receives a 200. Events may arrive in any order.',
    isWithoutKeyHeader: true,
    parameters: [
      {
        name: 'x-webhook-timestamp',
        in: 'header',
        required: true,
        description:
          'The time of the webhook in seconds or milliseconds since the Unix epoch, as signed by the gateway.',
        example: '1746427759733',
      },
      {
        name: 'x-webhook-signature',
        in: 'header',
        required: true,
        description:
          'base64(HMAC-SHA256(secret, timestamp + body)), with no separator between timestamp and body. The secret is the primary or the secondary webhook secret.',
      },
      header(
        'x-webhook-version',
        'The webhook version. Stored for information only; the signature does not cover it.',
      ),
      {
        name: 'workspace_id',
        in: 'query',
        required: false,
        description:
          'The workspace that owns the merchant account. Part of the webhook URL that a workspace with its own merchant account configures at the gateway.',
      },
    ],
    body: gatewayWebhookBody,
    answer: COMMITTED,
    problems: ['INVALID_SIGNATURE', 'PAYLOAD_TOO_LARGE', 'INTERNAL', 'UNAVAILABLE'],
  },
  ...COMPATIBLE_OPERATIONS,
  ...POSTHOG_OPERATIONS,
  ...CLIENT_OPERATIONS,
];
