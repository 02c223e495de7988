// `/docs/webhooks`: the guide for developers who receive webhooks. The event types come from the
// catalog and the delays from the retry schedule, so the page cannot disagree with the code.

import { Hono } from 'hono';
import { DAY_MS } from '../../schema/values/durations.ts';
import type { HttpEnv } from '../platform/http-env.ts';
import { SEND_TIMING } from './dispatch/send-webhook.ts';
import { EVENT_FAMILIES, type WebhookEventFamily } from './event-types.ts';
import { FAILING_MS_MAX, RETRY_DELAYS_MS } from './schedule.ts';

export function webhookDocsRoutes(): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const page = pageOf(EVENT_FAMILIES);
  app.get('/docs/webhooks', c => c.html(page, 200, { 'Content-Security-Policy': POLICY }));
  return app;
}

/** The page loads nothing and runs no script. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'";

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }
pre, code { font: 14px/1.5 ui-monospace, monospace; background: #f3f3f3; }
pre { padding: 0.75rem; overflow-x: auto; }
td { padding: 0.1rem 1.5rem 0.1rem 0; vertical-align: top; }
`;

const EXAMPLE = `POST /hooks HTTP/1.1
Content-Type: application/json
webhook-id: 019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10
webhook-timestamp: 1795244696
webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
X-Request-Id: 0f8e6b1d2c3a4b5c

{"type": "delivery.opened", "timestamp": "2026-11-21T07:04:56.000Z", "data": {"message_id": "push-1", …}}`;

const VERIFY = `import { Webhook } from 'standardwebhooks';

const webhook = new Webhook('whsec_…');
// rawBody: the request body as received, before any parsing.
const { type, timestamp, data } = webhook.verify(rawBody, request.headers);`;

function pageOf(families: readonly WebhookEventFamily[]): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Engagement service: webhooks</title>
    <style>${STYLE}</style>
  </head>
  <body>
    <h1>Webhooks</h1>
    <p>The service posts the outbound events of a workspace to its webhook endpoints, following
      <a href="https://www.standardwebhooks.com">Standard Webhooks</a> 1.0. Create an endpoint with
      <code>webhookEndpointCreate</code> at <a href="/graphql">/graphql</a>. The response contains the
      signing secret, which is shown only once.</p>
    <pre>${escaped(EXAMPLE)}</pre>
    <p>The <code>timestamp</code> in the body is the time of the event;
      <code>webhook-timestamp</code> is the time at which this attempt was sent. Fields may be added to
      <code>data</code>, but existing fields are never removed.</p>

    <h2>Verify the signature</h2>
    <p>Verify the signature before you use the payload: anyone can send a request to your URL.</p>
    <pre>${escaped(VERIFY)}</pre>
    <p>Without a library, compute the base64-encoded HMAC-SHA256 of <code>webhook-id</code>, a dot,
      <code>webhook-timestamp</code>, a dot, and the raw body. The key is the base64-decoded part of the
      secret after <code>whsec_</code>. <code>webhook-signature</code> may contain several signatures,
      separated by spaces: while a secret is being rotated, each webhook is signed with both the new and
      the previous secret. One matching signature is sufficient. Reject timestamps that differ from
      your clock by more than five minutes.</p>

    <h2>Duplicates and order</h2>
    <p>Webhooks are delivered <strong>at least once</strong>. The same webhook may arrive again
      with the same <code>webhook-id</code>, for example after a timeout, a crash or a
      replay. Store the IDs that you have processed to deduplicate. <strong>The order is not
      guaranteed</strong>:
      because of retries and parallel connections, <code>delivery.clicked</code> can arrive before
      <code>delivery.opened</code>. Order events by <code>timestamp</code>, or query the current
      state.</p>

    <h2>Respond</h2>
    <p>Respond with any 2xx status within ${SEND_TIMING.answerTimeoutMs / 1000} seconds, and process the event afterward. We store only
      the status of your response. A redirect counts as a failure and is not followed. A 410 status
      disables the endpoint.</p>

    <h2>Retries</h2>
    <p>A failed webhook is retried after these delays, each extended by a random 0 to 20%: ${waits()}.
      A longer <code>Retry-After</code> is honored, up to one day. After the last retry the delivery is
      marked as failed. It can be replayed for 30 days: individually, by time range, or with all other
      failed deliveries. An endpoint without a successful delivery for ${FAILING_MS_MAX / DAY_MS} days is disabled, and the workspace’s
      other endpoints receive <code>endpoint.disabled</code>.</p>

    <h2>Event types</h2>
    <p>An endpoint subscribes to types or to whole families. An endpoint without subscriptions
      receives all types.</p>
    ${families.map(familyOf).join('\n    ')}
  </body>
</html>
`;
}

function familyOf({ name, description, types }: WebhookEventFamily): string {
  const rows = types.map(
    event =>
      `<tr><td><code>${escaped(event.type)}</code></td><td>${escaped(event.description)}</td></tr>`,
  );
  return `<h3><code>${escaped(name)}.*</code></h3>
    <p>${escaped(description)}</p>
    <table>${rows.join('')}</table>`;
}

const UNITS = [
  [3600 * 1000, 'h'],
  [60 * 1000, 'min'],
  [1000, 's'],
] as const;

function waits(): string {
  return RETRY_DELAYS_MS.map(delayMs => {
    const [unitMs, unit] = UNITS.find(([ms]) => delayMs >= ms)!;
    return `${delayMs / unitMs} ${unit}`;
  }).join(', ');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
