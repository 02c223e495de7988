// The webhooks of the approvers, each verified by its own signature over the raw bytes. An event is
// stored before the response and processed later. Tenants' tokens do not apply.

import { createRoute, z } from '@hono/zod-openapi';
import type { Context as HonoContext } from 'hono';
import type { HttpEnv } from '../../platform/http-env.ts';
import { reject } from '../../platform/rejected.ts';
import { bodyOf, json, type RestApp } from '../../platform/rest/rest-app.ts';
import { readMessagingAppWebhook, readSmsWebhook, type UpstreamEvent } from './read-webhook.ts';
import { receiveApprovalEvents } from './receive-events.ts';
import { isSignedBy } from './signature.ts';
import { MESSAGING_APP_WEBHOOK_PATH, SMS_WEBHOOK_PATH } from './webhook-paths.ts';

const received = z
  .object({ status: z.literal('RECEIVED') })
  .meta({ example: { status: 'RECEIVED' } });

const platformBody = z.looseObject({}).meta({
  description: 'The payload that the platform documents. Unknown fields are ignored.',
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

export function approvalWebhookRoutes(app: RestApp): void {
  document(app);
  app.get(MESSAGING_APP_WEBHOOK_PATH, handshake);
  app.post(MESSAGING_APP_WEBHOOK_PATH, c => {
    const { messagingApp } = c.var.context.deps.config.approval;
    const signature = c.req.header('x-hub-signature-256');
    const secret = messagingApp?.appSecret;
    return receive(c, { secret, signature, read: readMessagingAppWebhook });
  });
  app.post(SMS_WEBHOOK_PATH, c => {
    const { smsRegistrar } = c.var.context.deps.config.approval;
    const signature = c.req.header('x-registrar-signature-256');
    const secret = smsRegistrar?.webhookSecret;
    return receive(c, { secret, signature, read: readSmsWebhook });
  });
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

type Reception = {
  readonly secret: string | undefined;
  readonly signature: string | undefined;
  readonly read: (body: Buffer, nowMs: number) => readonly UpstreamEvent[] | undefined;
};

async function receive(
  c: HonoContext<HttpEnv>,
  { secret, signature, read }: Reception,
): Promise<Response> {
  if (secret === undefined) return reject('NOT_FOUND');
  const { context } = c.var;
  const body = Buffer.from(await c.req.arrayBuffer());
  if (!isSignedBy(secret, body, signature)) return reject('INVALID_SIGNATURE');
  const events = read(body, context.deps.clock.nowMs()) ?? reject('MALFORMED_JSON');
  const fresh = await receiveApprovalEvents(context.deps, events, body);
  context.note({ events: events.length, fresh });
  return c.json({ status: 'RECEIVED' });
}

function document({ openAPIRegistry }: RestApp): void {
  const shared = { tags: ['Templates'], security: [] };
  const answers = {
    200: json('The events are stored.', received),
    401: { description: 'The signature does not match the body.' },
    404: { description: 'No such approver is configured.' },
  };
  openAPIRegistry.registerPath(
    createRoute({
      ...shared,
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
        403: { description: 'The token is not the configured one.' },
      },
    }),
  );
  openAPIRegistry.registerPath(
    createRoute({
      ...shared,
      method: 'post',
      path: MESSAGING_APP_WEBHOOK_PATH,
      operationId: 'postMessagingAppWebhook',
      summary: 'Receive template events from the messaging app',
      description: 'Signed in `X-Hub-Signature-256`. Idempotent: a repeated event has no effect.',
      request: { body: bodyOf(platformBody) },
      responses: answers,
    }),
  );
  openAPIRegistry.registerPath(
    createRoute({
      ...shared,
      method: 'post',
      path: SMS_WEBHOOK_PATH,
      operationId: 'postSmsRegistrarWebhook',
      summary: 'Receive template events from the SMS registrar',
      description:
        'Signed in `X-Registrar-Signature-256`. Idempotent: a repeated event has no effect.',
      request: { body: bodyOf(registrarBody) },
      responses: answers,
    }),
  );
}
