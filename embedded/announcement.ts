import type { DemoTenant } from './demo-tenant.ts';
import type { Opened } from './opened.ts';

/** What `npm start` prints once everything runs: addresses, the demo's key, and lines to paste. */
export function announcement(opened: Opened, demo: DemoTenant | undefined, now: Date): string {
  const lines = [
    '',
    'The service runs.',
    '',
    `  Base address    ${opened.baseUrl}`,
    `  Ingest          ${opened.ingestUrl}`,
    `  ClickHouse      ${withoutPassword(opened.clickhouseUrl)}`,
  ];
  if (opened.postgresPort !== null) lines.push(`  Postgres        port ${opened.postgresPort}`);
  if (demo !== undefined) {
    lines.push(`  Demo write key  ${demo.writeKey}`, '', 'Send a batch:', '');
    lines.push(`  ${postLine(opened.baseUrl, demo, now)}`, '', 'Read it back:', '');
    lines.push(`  ${queryLine(opened.clickhouseUrl, demo)}`);
  }
  lines.push('', 'Ctrl-C drains and stops it.', '');
  return lines.join('\n');
}

function postLine(baseUrl: string, demo: DemoTenant, now: Date): string {
  const time = now.toISOString();
  const batch = {
    writeKey: demo.writeKey,
    sentAt: time,
    batch: [
      {
        type: 'track',
        event: 'Order Completed',
        messageId: `demo-${now.getTime()}`,
        timestamp: time,
        anonymousId: 'device-1',
        userId: 'user-1',
        sessionId: 'session-1',
        properties: { total: 49.9, currency: 'EUR' },
      },
    ],
  };
  return `curl -sS ${baseUrl}/v1/batch -H 'Content-Type: application/json' -d '${JSON.stringify(batch)}'`;
}

function queryLine(clickhouseUrl: string, demo: DemoTenant): string {
  const query =
    'SELECT event, message_id, user_id, timestamp, properties FROM events ' +
    `WHERE workspace_id = '${demo.workspaceId}' ORDER BY received_at DESC LIMIT 10 ` +
    'FORMAT PrettyCompact';
  return `curl -sS '${withoutPassword(clickhouseUrl)}' --data-binary "${query}"`;
}

function withoutPassword(address: string): string {
  const url = new URL(address);
  url.password = '';
  return url.toString().replace(/\/$/, '');
}
