// What the embedded engine does not do for anybody: nobody logs in to it.

import { expect, inject, test } from 'vitest';
import { send } from '../harness/http.ts';

test.each([
  { origin: 'https://example.com' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { host: 'rebound.example.com:8123' },
  { host: '127.0.0.1.example.com' },
  { host: 'localhost.example.com' },
])('a web page gets nothing: %j', async headers => {
  const answer = await send(`${inject('clickhouseUrl')}/`, { body: 'SELECT 1', headers });
  expect(answer).toMatchObject({
    status: 403,
    headers: {
      'content-type': 'text/plain; charset=UTF-8',
      'x-clickhouse-exception-code': '497',
    },
  });
  expect(answer.text).toMatch(/^Code: 497\. DB::Exception: .*\(ACCESS_DENIED\) \(version /);
});

test.each(['127.0.0.1', '127.1.2.3:80', 'localhost:8123', 'LOCALHOST', '[::1]', '[::1]:8123'])(
  'a program on this machine gets an answer: %s',
  async host => {
    const answer = await send(`${inject('clickhouseUrl')}/`, {
      body: 'SELECT 1',
      headers: { host, 'sec-fetch-site': 'none' },
    });
    expect(answer.text).toBe('1\n');
  },
);
