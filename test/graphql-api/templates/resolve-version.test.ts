import { describe, expect, test } from 'vitest';
import {
  type ResolutionInput,
  resolveVersion,
  type SendableVersion,
} from '../../../graphql-api/templates/resolve-version.ts';

const NOW_MS = Date.UTC(2026, 10, 21);

function version(number: number, given: Partial<SendableVersion> = {}): SendableVersion {
  return {
    id: `v${number}`,
    number,
    state: 'Superseded',
    upstreamHealth: 'OK',
    healthUntil: null,
    activatedAt: new Date(NOW_MS - 1000 * (100 - number)),
    ...given,
  };
}

const V1 = version(1);
const V2 = version(2);
const V3 = version(3, { state: 'Active' });

function resolve(given: Partial<ResolutionInput>) {
  const found = resolveVersion({
    versions: [V1, V2, V3],
    pinnedId: undefined,
    release: undefined,
    overrideId: undefined,
    nowMs: NOW_MS,
    ...given,
  });
  return found && `${found.versionId} ${found.reason}`;
}

describe('in the contract’s order', () => {
  test('a pin applies even if a newer version is Active', () => {
    expect(resolve({ pinnedId: 'v1' })).toBe('v1 pin');
  });

  test('a released pin is replaced by the forced version', () => {
    expect(resolve({ pinnedId: 'v1', release: { toVersionId: 'v2' } })).toBe('v2 forced');
  });

  test('without a forced version, a released pin is replaced by the Active one', () => {
    expect(resolve({ pinnedId: 'v1', release: { toVersionId: null } })).toBe('v3 released_pin');
  });

  test('the Active version is also used if the forced one can no longer be sent', () => {
    const versions = [V1, version(2, { upstreamHealth: 'DISABLED' }), V3];
    const release = { toVersionId: 'v2' };
    expect(resolve({ versions, pinnedId: 'v1', release })).toBe('v3 released_pin');
  });

  test('without a pin, the Active version is used', () => {
    expect(resolve({})).toBe('v3 active');
  });

  test('an override takes precedence over pin and release', () => {
    const release = { toVersionId: 'v3' };
    expect(resolve({ pinnedId: 'v1', overrideId: 'v2', release })).toBe('v2 override');
  });

  test('an override that cannot be sent is ignored', () => {
    const versions = [V1, version(2, { state: 'Archived' }), V3];
    expect(resolve({ versions, pinnedId: 'v1', overrideId: 'v2' })).toBe('v1 pin');
  });
});

describe('a pin that cannot be sent', () => {
  test('when rejected, falls back to the Active version', () => {
    const versions = [V1, V3, version(4, { state: 'Rejected', activatedAt: null })];
    expect(resolve({ versions, pinnedId: 'v4' })).toBe('v3 fallback_rejected');
  });

  test('when rejected while the Active version is paused, falls back to the previously Active version', () => {
    const paused = version(3, { state: 'Active', upstreamHealth: 'PAUSED' });
    const versions = [V1, V2, paused, version(4, { state: 'Rejected', activatedAt: null })];
    expect(resolve({ versions, pinnedId: 'v4' })).toBe('v2 fallback_rejected');
  });

  test('when paused, falls back to the newest earlier version', () => {
    const versions = [V1, version(2, { upstreamHealth: 'PAUSED' }), V3];
    expect(resolve({ versions, pinnedId: 'v2' })).toBe('v1 pin_unsendable');
  });

  test('when paused and the first version, falls back to the Active one', () => {
    const versions = [version(1, { upstreamHealth: 'PAUSED' }), V2, V3];
    expect(resolve({ versions, pinnedId: 'v1' })).toBe('v3 pin_unsendable');
  });

  test('is sent again as soon as the pause ends', () => {
    const until = (ms: number) =>
      version(2, { upstreamHealth: 'PAUSED', healthUntil: new Date(ms) });
    expect(resolve({ versions: [V1, until(NOW_MS), V3], pinnedId: 'v2' })).toBe('v2 pin');
    expect(resolve({ versions: [V1, until(NOW_MS + 1), V3], pinnedId: 'v2' })).toBe(
      'v1 pin_unsendable',
    );
  });

  test('while flagged, is sent', () => {
    const versions = [V1, version(2, { upstreamHealth: 'FLAGGED' }), V3];
    expect(resolve({ versions, pinnedId: 'v2' })).toBe('v2 pin');
  });

  test('without another sendable version, sends nothing', () => {
    const versions = [version(1, { state: 'Archived' }), version(2, { state: 'Draft' })];
    expect(resolve({ versions, pinnedId: 'v1' })).toBeUndefined();
    expect(resolve({ versions })).toBeUndefined();
  });
});
