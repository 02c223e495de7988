import { expect, test } from 'vitest';
import { OLDEST_RELEASE } from '../../../migrations/record-release.ts';
import { readVersion } from '../../../schema/environment/build-info.ts';
import { compareReleases, schemaProblem } from '../../../schema/environment/schema-release.ts';

test.for([
  ['0.2.0', { release: '0.2.0', oldestRelease: '0.1.0' }],
  ['0.1.0', { release: '0.2.0', oldestRelease: '0.1.0' }],
  ['0.9.0', { release: '0.10.0', oldestRelease: '0.9.0' }],
] as const)('release %s works on %o', ([own, schema]) => {
  expect(schemaProblem(own, schema)).toBeUndefined();
});

test.for([
  ['0.2.0', undefined, 'no schema yet: run `npm run migrate` from release 0.2.0.'],
  [
    '0.2.0',
    { release: '0.1.0', oldestRelease: '0.1.0' },
    'run `npm run migrate` from release 0.2.0.',
  ],
  ['0.10.0', { release: '0.9.0', oldestRelease: '0.8.0' }, 'from release 0.10.0.'],
  [
    '0.1.0',
    { release: '0.3.0', oldestRelease: '0.2.0' },
    'works with release 0.2.0 or later, but this is release 0.1.0: start release 0.3.0.',
  ],
] as const)('release %s does not work on %o', ([own, schema, sentence]) => {
  expect(schemaProblem(own, schema)).toContain(sentence);
});

test('releases are compared by their numbers', () => {
  const sorted = ['1.10.0', '0.9.0', '1.2.1', '0.10.0-beta'].sort(compareReleases);
  expect(sorted).toEqual(['0.9.0', '0.10.0-beta', '1.2.1', '1.10.0']);
});

test('the schema of this release also serves an earlier one', () => {
  expect(compareReleases(OLDEST_RELEASE, readVersion())).toBeLessThanOrEqual(0);
});
