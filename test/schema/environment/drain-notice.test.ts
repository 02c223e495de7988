import { expect, test } from 'vitest';
import { drainNoticeMs } from '../../../schema/environment/drain-notice.ts';

test('a program waits for proxies in production, unless it is told otherwise', () => {
  expect(drainNoticeMs(undefined, true)).toBe(4_000);
  expect(drainNoticeMs(undefined, false)).toBe(0);
  expect(drainNoticeMs(0, true)).toBe(0);
  expect(drainNoticeMs(1_000, false)).toBe(1_000);
});
