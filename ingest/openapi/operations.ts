// Every operation that SDKs have, and which answers each of them gives.

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

export type Parameter = {
  readonly name: string;
  readonly in: 'header' | 'path' | 'query';
  readonly required: boolean;
  readonly description: string;
  readonly example?: string;
};

export const TAGS = [
  { name: 'Events', description: 'What people do in the application.' },
  { name: 'In-app', description: 'Campaigns and widgets, and what people do with them.' },
  { name: 'Push', description: 'Push notifications and the devices that receive them.' },
  { name: 'Payments', description: 'Webhooks of the payment gateway.' },
] as const;

export type Operation = {
  readonly tag: (typeof TAGS)[number]['name'];
  readonly operationId: string;
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** The write key is in the body, or a signature takes its place. */
  readonly isWithoutKeyHeader?: boolean;
  readonly parameters: readonly Parameter[];
  readonly body?: z.ZodType;
  readonly answer: {
    readonly description: string;
    readonly schema: z.ZodType;
    readonly example: unknown;
  };
  readonly problems: readonly ProblemCode[];
};

const header = (name: string, description: string): Parameter => {
  return { name, in: 'header', required: false, description };
};
const ORGANIZATION = header('X-Organization-ID', 'The key’s organisation; another one is 403.');
const PROPERTY = header('X-Property-Id', 'A property of the key’s workspace; another one is 403.');
const CONTACT = header(
  'X-Contact-ID',
  'Our id of the contact, or the application’s own. Names the person together with X-User-ID.',
);
const USER = header('X-User-ID', 'Application user id of the person.');

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
const ON_DISK = { description: 'On disk.', schema: success, example: { status: 'SUCCESS' } };
const COMMITTED = { ...ON_DISK, description: 'Committed in Postgres.' };

export const OPERATIONS: readonly Operation[] = [
  {
    tag: 'Events',
    operationId: 'postBatch',
    method: 'post',
    path: '/v1/batch',
    summary: 'Application events',
    description:
      'Track, identify, page, screen, group and alias events. A batch with some invalid events is stored without them and answered with 400: `accepted` counts the stored ones, `rejected` names the others.',
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
    summary: 'What a person did with an in-app campaign',
    description:
      'Feedback on catalog campaigns. Widgets that a journey queued are acknowledged at their own path; application events belong to /v1/batch.',
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
    summary: 'What happened to a push',
    description:
      'One delivery per message and person, whose status never goes back, and a card of the activity feed per event.',
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
    summary: 'Registers a device token',
    description: 'Idempotent: the record is upserted on property and token.',
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
    summary: 'Marks a device token inactive',
    description: 'For 30 days a register resumes the token’s history; later it starts a new one.',
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
    summary: 'What to show a person now',
    description:
      'Campaigns and widgets of journeys that this person is to be shown, by priority. Caps count what was reported as displayed, not what was fetched. Without a person: what is open to everybody.',
    parameters: [
      {
        name: 'current_surface',
        in: 'query',
        required: false,
        description: 'Where the person is. Campaigns of other surfaces are left out.',
        example: 'storefront_catalog',
      },
      ORGANIZATION,
      PROPERTY,
      CONTACT,
      USER,
    ],
    answer: {
      description: 'The highest priority first; at most 50.',
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
    summary: 'How far a widget of a journey came',
    description: 'States only move forward; the first click or dismissal lets the journey go on.',
    parameters: [
      {
        name: 'step_execution_id',
        in: 'path',
        required: true,
        description: 'journey_step_execution_id of the widget.',
        example: '01938f6e-6a2b-7c3d-8e4f-5a6b7c8d9e0f',
      },
      ORGANIZATION,
      PROPERTY,
    ],
    body: widgetAckBody,
    answer: { ...COMMITTED, description: 'Committed in Postgres, and on disk for analysts.' },
    problems: ['WIDGET_NOT_FOUND', ...SPOOLED],
  },
  {
    tag: 'In-app',
    operationId: 'postInAppResponse',
    method: 'post',
    path: '/api/v1/in_app/responses',
    summary: 'What a person answered',
    description: 'Structured responses to campaigns and widgets alike.',
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
    summary: 'What the payment gateway tells',
    description:
      'The body is kept byte for byte, so nothing on the way may re-encode it. A repeat, and a type that nobody knows, is answered 200 like any other: the gateway repeats until it gets one. It may come in any order.',
    isWithoutKeyHeader: true,
    parameters: [
      {
        name: 'x-webhook-timestamp',
        in: 'header',
        required: true,
        description: 'Seconds or milliseconds since 1970, as the gateway signed it.',
        example: '1746427759733',
      },
      {
        name: 'x-webhook-signature',
        in: 'header',
        required: true,
        description:
          'base64(HMAC-SHA256(secret, timestamp + body)), with nothing between the two, by the primary or the secondary webhook secret.',
      },
      header('x-webhook-version', 'Kept for information; no signature covers it.'),
      {
        name: 'workspace_id',
        in: 'query',
        required: false,
        description:
          'The workspace whose merchant account it is: part of the address that a workspace with an account of its own gives the gateway.',
      },
    ],
    body: gatewayWebhookBody,
    answer: COMMITTED,
    problems: ['INVALID_SIGNATURE', 'PAYLOAD_TOO_LARGE', 'INTERNAL', 'UNAVAILABLE'],
  },
];
