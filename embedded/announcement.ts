import { CONSOLE_PATH } from '../graphql-api/app/console-path.ts';
import type { DemoTenant } from './demo-tenant.ts';
import type { Opened } from './opened.ts';

/** The output of `npm start` once everything runs: addresses, the demo's key, and commands to paste. */
export function announcement(
  opened: Opened,
  demo: DemoTenant | undefined,
  now: Date,
  isProduction = false,
): string {
  const lines = [
    '',
    'The service is running.',
    '',
    `  Base address    ${opened.baseUrl}`,
    `  Console         ${opened.baseUrl}${CONSOLE_PATH}`,
    `  ${isProduction ? 'GraphQL       ' : 'GraphiQL      '}  ${opened.baseUrl}/graphql`,
    `  REST API docs   ${opened.baseUrl}/docs`,
    `  Ingest          ${opened.ingestUrl}`,
    `  API             ${opened.apiUrl}`,
    `  ClickHouse      ${withoutPassword(opened.clickhouseUrl)}`,
  ];
  if (opened.gatewayUrl !== undefined) lines.push(`  Demo gateway    ${opened.gatewayUrl}`);
  if (opened.postgresPort !== null) lines.push(`  Postgres        port ${opened.postgresPort}`);
  if (demo !== undefined) {
    lines.push(`  Demo write key  ${demo.writeKey}`, '', 'Send a batch:', '');
    lines.push(`  ${postLine(opened.baseUrl, demo, now)}`, '', 'Read it back:', '');
    lines.push(`  ${queryLine(opened.clickhouseUrl, demo)}`);
    if (new URL(opened.clickhouseUrl).password !== '')
      lines.push('', 'curl prompts for the password, which is in CLICKHOUSE_URL.');
    lines.push('', 'Get a token for the API:', '');
    lines.push(`  npm run -s token -- --org ${demo.organizationId} --role owner`);
    if (!isProduction) lines.push('', 'Create data for the console:', '', '  npm run shop');
  }
  lines.push('', 'Ctrl-C drains and stops the service.', '');
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
  return `curl -sS${userOption(clickhouseUrl)} '${queryAddress(clickhouseUrl)}' --data-binary "${query}"`;
}

/** If there is a password, curl prompts for it, because the output must not contain it. */
function userOption(clickhouseUrl: string): string {
  const { username, password } = new URL(clickhouseUrl);
  if (username === '' && password === '') return '';
  const name = (decodeURIComponent(username) || 'default').replaceAll("'", String.raw`'\''`);
  return ` -u '${name}${password === '' ? ':' : ''}'`;
}

/** Clients name the database in the path, ClickHouse itself takes it as a parameter. */
function queryAddress(clickhouseUrl: string): string {
  const url = new URL(clickhouseUrl);
  const database = decodeURIComponent(url.pathname.slice(1));
  url.pathname = '/';
  url.username = '';
  if (database !== '') url.searchParams.set('database', database);
  return withoutPassword(url.href);
}

function withoutPassword(address: string): string {
  const url = new URL(address);
  url.password = '';
  return url.toString().replace(/\/$/, '');
}
