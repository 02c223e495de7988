import { expect, test } from 'vitest';
import { openFilesProblem } from './connections.ts';

test.each([undefined, 11_100, 1_048_576])('%s open files suffice', openFilesMax => {
  expect(openFilesProblem(openFilesMax)).toBeUndefined();
});

test('too low a limit is named, with the command that raises it', () => {
  expect(openFilesProblem(4_096)).toBe(
    'Skipped: a process may have 4,096 open files here, and the load generator needs 11,100. ' +
      'Raise the limit, for example with "ulimit -n 11100".',
  );
});
