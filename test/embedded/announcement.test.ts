import { expect, test } from 'vitest';
import { announcement } from '../../embedded/announcement.ts';

const TENANT = { organizationId: 'o', workspaceId: 'w', propertyId: 'p', writeKey: 'k' };

function queryLine(clickhouseUrl: string): string {
  const local = 'http://127.0.0.1:1';
  const opened = { pid: 1, baseUrl: local, ingestUrl: local, apiUrl: local, postgresPort: null };
  const text = announcement({ ...opened, clickhouseUrl }, TENANT, new Date(0));
  expect(text).not.toContain('secret');
  const [, line] = text.split('\n').filter(each => each.startsWith('  curl '));
  return line!.slice(0, line!.indexOf(' --data-binary')).trim();
}

test.each([
  ['http://host:8123', "curl -sS 'http://host:8123'"],
  ['http://host/events', "curl -sS 'http://host/?database=events'"],
  ['http://ann:secret@host/db', "curl -sS -u 'ann' 'http://host/?database=db'"],
  ['http://:secret@host', "curl -sS -u 'default' 'http://host'"],
  ['http://ann@host', "curl -sS -u 'ann:' 'http://host'"],
])('the line that reads events back from %s', (clickhouseUrl, line) => {
  expect(queryLine(clickhouseUrl)).toBe(line);
});

test('links to the API and its documentation, and to GraphiQL only in development', () => {
  const local = 'http://127.0.0.1:1';
  const opened = { pid: 1, baseUrl: local, ingestUrl: local, apiUrl: local, postgresPort: null };
  const lines = (isProduction: boolean) =>
    announcement({ ...opened, clickhouseUrl: local }, TENANT, new Date(0), isProduction);
  expect(lines(false)).toContain(`GraphiQL        ${local}/graphql`);
  expect(lines(false)).toContain(`${local}/docs`);
  expect(lines(true)).toContain(`Console         ${local}/console\n`);
  expect(lines(false)).toContain('npm run -s token -- --org o --role owner');
  expect(lines(false)).toContain('  npm run shop\n');
  expect(lines(true)).not.toContain('GraphiQL');
});
