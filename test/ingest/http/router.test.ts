import { describe, expect, test } from 'vitest';
import { Router } from '../../../ingest/http/router.ts';
import type { Endpoint } from '../../../ingest/http/server.ts';

const endpoint = (): Endpoint => ({
  methods: ['POST'],
  handle: () => ({ status: 200, body: '', contentType: '', headers: [] }),
});
const ACK = '/v1/widgets/{step_execution_id}/ack';
const endpoints = new Map([
  ['/v1/batch', endpoint()],
  ['/v1/widgets/active/ack', endpoint()],
  [ACK, endpoint()],
  ['/v1/files/{name}', endpoint()],
]);
const router = new Router(endpoints);

function found(path: string): { path: string; parameter: string } | undefined {
  const route = router.find(path);
  if (route === undefined) return undefined;
  expect(route.endpoint).toBe(endpoints.get(route.path));
  return { path: route.path, parameter: route.parameter };
}

describe('exact paths', () => {
  test('are found, and have no parameter', () => {
    expect(found('/v1/batch')).toEqual({ path: '/v1/batch', parameter: '' });
  });

  test.for([
    '',
    '/',
    '/v1',
    '/v1/batch/',
    '/v1/batch/x',
    '/V1/batch',
    '/v1//batch',
    '/v1/batc',
    'v1/batch',
    '/v1/%62atch',
    'constructor',
    '__proto__',
  ])('are not found by other paths: %s', path => {
    expect(found(path)).toBeUndefined();
  });

  test('come before those with a parameter', () => {
    expect(found('/v1/widgets/active/ack')?.path).toBe('/v1/widgets/active/ack');
  });
});

describe('a parameter', () => {
  test.for([
    ['/v1/widgets/0190-a/ack', '0190-a'],
    ['/v1/widgets/ack/ack', 'ack'],
    ['/v1/widgets/a%2Fb/ack', 'a/b'],
    ['/v1/widgets/%C3%A9%20x/ack', 'é x'],
    ['/v1/widgets/%/ack', '%'],
    ['/v1/widgets/%ff/ack', '%ff'],
    ['/v1/widgets/a%2/ack', 'a%2'],
    ['/v1/widgets/a+b/ack', 'a+b'],
    ['/v1/widgets/{step_execution_id}/ack', '{step_execution_id}'],
  ])('of %s is %s, and the path is the one registered', ([path, parameter]) => {
    expect(found(path!)).toEqual({ path: ACK, parameter });
  });

  test('may be at the end', () => {
    expect(found('/v1/files/a.txt')).toEqual({ path: '/v1/files/{name}', parameter: 'a.txt' });
  });

  test.for([
    '/v1/widgets//ack',
    '/v1/widgets/ack',
    '/v1/widgets/a/b/ack',
    '/v1/widgets/a/ack/',
    '/v1/widgets/a/ackx',
    '/v1/widgets/a',
    '/v1/files/',
    '/v1/files/a/b',
  ])('is one segment and not empty: %s', path => {
    expect(found(path)).toBeUndefined();
  });
});

test('a router without paths finds nothing', () => {
  expect(new Router(new Map()).find('/v1/batch')).toBeUndefined();
});
