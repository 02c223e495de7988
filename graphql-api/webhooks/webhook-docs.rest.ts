// `/docs/webhooks`: what whoever receives webhooks needs to know. The list of types is the catalogue
// that webhooks are made by, and the waits are those of the schedule.

import { Hono } from 'hono';
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

/** Nothing is loaded, and nothing runs. */
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

{"type": "delivery.opened", "timestamp": "2026-11-21T07:04:56.000Z", "data": {"message_id": "push-1", …}}`;

const VERIFY = `import { Webhook } from 'standardwebhooks';

const webhook = new Webhook('whsec_…');
// rawBody: the bytes as they came, never parsed and printed again.
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
    <p>What happens in a workspace is posted to its webhook endpoints, by
      <a href="https://www.standardwebhooks.com">Standard Webhooks</a> 1.0. Endpoints are made by
      <code>webhookEndpointCreate</code> at <a href="/graphql">/graphql</a>, which shows the endpoint’s
      secret, once.</p>
    <pre>${escaped(EXAMPLE)}</pre>
    <p><code>timestamp</code> in the body is when it happened, <code>webhook-timestamp</code> when this
      attempt was made. Fields may be added to <code>data</code>; none is taken away.</p>

    <h2>Verify</h2>
    <p>Believe nothing before its signature is verified: anybody can post to your address.</p>
    <pre>${escaped(VERIFY)}</pre>
    <p>By hand: the base64 of HMAC-SHA256, by the bytes of the secret (what follows
      <code>whsec_</code>, base64), over <code>webhook-id</code>, a dot,
      <code>webhook-timestamp</code>, a dot, and the body. <code>webhook-signature</code> may have
      several, separated by blanks: while a secret is being rotated, each webhook is signed with the new
      one and the old one, so one that matches is enough. Refuse timestamps that are more than five
      minutes off.</p>

    <h2>Once, and in any order</h2>
    <p>A webhook comes <strong>at least once</strong>: after a time-out or a crash it may come again,
      with the same <code>webhook-id</code>, as do retries and replays. Remember the ids that you have
      dealt with. <strong>The order is not promised</strong>: retries and several connections have
      <code>delivery.clicked</code> come before <code>delivery.opened</code> now and then; go by
      <code>timestamp</code>, or ask for the present state.</p>

    <h2>Answer</h2>
    <p>Any 2xx, within ${SEND_TIMING.answerTimeoutMs / 1000} seconds, is taken for received; do the work after it. What you answer is not
      kept, but for the status. A redirect is a failure, and is not followed. 410 says that you want no
      more, and disables the endpoint.</p>

    <h2>Retries</h2>
    <p>After a failure we try again, each time up to a fifth later than this: ${waits()}. A
      <code>Retry-After</code> that asks for more is heeded, up to a day. Then the delivery has failed,
      and can be replayed for 30 days: one, those of a time, or all that failed. An endpoint without one
      success in ${FAILING_MS_MAX / DAY_MS} days is disabled, and the workspace’s other endpoints
      are told (<code>endpoint.disabled</code>).</p>

    <h2>Event types</h2>
    <p>An endpoint chooses types, or whole families; one that chooses none gets them all.</p>
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

const DAY_MS = 24 * 3600 * 1000;
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
