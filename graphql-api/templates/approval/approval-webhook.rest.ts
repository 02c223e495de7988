// The webhooks of the approvers, each verified by its own signature over the raw bytes. An event is
// stored before the response and processed later. Tenants' tokens do not apply.

import { createRoute, z } from '@hono/zod-openapi';
import type { Context as HonoContext } from 'hono';
import type { HttpEnv } from '../../platform/http-env.ts';
import { reject } from '../../platform/rejected.ts';
import { bodyOf, json, type RestApp } from '../../platform/rest/rest-app.ts';
import type { ApprovalConfig } from './approval-config.ts';
import { readMessagingAppWebhook, readSmsWebhook, type UpstreamEvent } from './read-webhook.ts';
import { receiveApprovalEvents } from './receive-events.ts';
import { isSignedBy } from './signature.ts';
import { MESSAGING_APP_WEBHOOK_PATH, SMS_WEBHOOK_PATH } from './webhook-paths.ts';

const received = z
  .object({ status: z.literal('RECEIVED') })
  .meta({ example: { status: 'RECEIVED' } });

const platformBody = z.looseObject({}).meta({
  description:
    'The payload, as documented by the messaging-app platform. Unknown fields are ignored.',
  example: {
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '102290129340398',
        time: 1_793_300_000,
        changes: [
          {
            field: 'message_template_status_update',
            value: {
              event: 'APPROVED',
              message_template_id: 1_689_556_908_129_832,
              message_template_name: 'order_update_v4_3f9a2c1b77d0',
              message_template_language: 'en',
              reason: 'NONE',
            },
          },
        ],
      },
    ],
  },
});

const registrarBody = z.looseObject({}).meta({
  example: {
    event_id: 'e-1',
    reference: 'order_update_v4_3f9a2c1b77d0',
    template_id: '1107160000000000000',
    status: 'APPROVED',
    reason: null,
    occurred_at: '2026-01-15T10:00:00.000Z',
  },
});

type Webhook = {
  readonly path: string;
  readonly operationId: string;
  readonly sender: string;
  readonly signatureHeader: string;
  readonly secretOf: (config: ApprovalConfig) => string | undefined;
  /** Returns undefined if the body is not JSON. */
  readonly read: (body: Buffer, nowMs: number) => readonly UpstreamEvent[] | undefined;
  readonly body: z.ZodType;
};

const WEBHOOKS: readonly Webhook[] = [
  {
    path: MESSAGING_APP_WEBHOOK_PATH,
    operationId: 'postMessagingAppWebhook',
    sender: 'messaging app',
    signatureHeader: 'X-Hub-Signature-256',
    secretOf: ({ messagingApp }) => messagingApp?.appSecret,
    read: readMessagingAppWebhook,
    body: platformBody,
  },
  {
    path: SMS_WEBHOOK_PATH,
    operationId: 'postSmsRegistrarWebhook',
    sender: 'SMS registrar',
    signatureHeader: 'X-Registrar-Signature-256',
    secretOf: ({ smsRegistrar }) => smsRegistrar?.webhookSecret,
    read: readSmsWebhook,
    body: registrarBody,
  },
];

export function approvalWebhookRoutes(app: RestApp): void {
  documentHandshake(app);
  app.get(MESSAGING_APP_WEBHOOK_PATH, handshake);
  for (const webhook of WEBHOOKS) {
    documentWebhook(app, webhook);
    app.post(webhook.path, c => receive(c, webhook));
  }
}

/** Answers the platform's subscription check, which expects its own challenge back unchanged. */
function handshake(c: HonoContext<HttpEnv>): Response {
  const { messagingApp } = c.var.context.deps.config.approval;
  const token = c.req.query('hub.verify_token');
  const challenge = c.req.query('hub.challenge') ?? '';
  const isKnown = messagingApp !== undefined && token === messagingApp.verifyToken;
  if (!isKnown || c.req.query('hub.mode') !== 'subscribe') return reject('FORBIDDEN');
  return c.text(challenge);
}

async function receive(
  c: HonoContext<HttpEnv>,
  { secretOf, signatureHeader, read }: Webhook,
): Promise<Response> {
  const { context } = c.var;
  const secret = secretOf(context.deps.config.approval) ?? reject('NOT_FOUND');
  const body = Buffer.from(await c.req.arrayBuffer());
  if (!isSignedBy(secret, body, c.req.header(signatureHeader))) return reject('INVALID_SIGNATURE');
  const events = read(body, context.deps.clock.nowMs()) ?? reject('MALFORMED_JSON');
  const fresh = await receiveApprovalEvents(context.deps, events, body);
  context.note({ events: events.length, fresh });
  return c.json({ status: 'RECEIVED' });
}

const documented = { tags: ['Templates'], security: [] };

function documentHandshake({ openAPIRegistry }: RestApp): void {
  openAPIRegistry.registerPath(
    createRoute({
      ...documented,
      method: 'get',
      path: MESSAGING_APP_WEBHOOK_PATH,
      operationId: 'verifyMessagingAppWebhook',
      summary: 'Verify the messaging app’s webhook subscription',
      description: 'Returns `hub.challenge` if `hub.verify_token` is the configured token.',
      request: {
        query: z.object({
          'hub.mode': z.string().optional(),
          'hub.verify_token': z.string().optional(),
          'hub.challenge': z.string().optional(),
        }),
      },
      responses: {
        200: {
          description: 'The challenge.',
          content: { 'text/plain': { schema: z.string().meta({ example: '1158201444' }) } },
        },
        403: { description: 'The token does not match the configured one.' },
      },
    }),
  );
}

function documentWebhook({ openAPIRegistry }: RestApp, webhook: Webhook): void {
  const { path, operationId, sender, signatureHeader, body } = webhook;
  openAPIRegistry.registerPath(
    createRoute({
      ...documented,
      method: 'post',
      path,
      operationId,
      summary: `Receive template events from the ${sender}`,
      description: `The signature is in the \`${signatureHeader}\` header. Idempotent: a repeated event has no effect.`,
      request: { body: bodyOf(body) },
      responses: {
        200: json('The events are stored.', received),
        401: { description: 'The signature does not match the body.' },
        404: { description: 'No approver is configured for this channel.' },
      },
    }),
  );
}
