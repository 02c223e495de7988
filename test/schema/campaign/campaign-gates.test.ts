import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Campaign } from '../../../schema/campaign/campaign.ts';
import {
  compareForDisplay,
  type Exposure,
  type GateReason,
  gate,
  type Person,
  selectCampaigns,
  toGated,
  toViewer,
  type WorkspaceCaps,
} from '../../../schema/campaign/campaign-gates.ts';
import { consentReason } from '../../../schema/campaign/consent-purposes.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const DAY_SECONDS = 86_400;
const NO_CAPS = { totalMax: null, windowMax: null, windowSeconds: null, intervalSecondsMin: null };
const UNLIMITED: WorkspaceCaps = { dailyMax: null, intervalSecondsMin: null };

const OPEN: Campaign<unknown> = {
  id: 'campaign-1',
  workspaceId: 'workspace-1',
  name: 'Campaign',
  type: 'banner',
  status: 'LIVE',
  surfaces: [],
  content: {},
  priority: 0,
  startsAtMs: null,
  endsAtMs: null,
  audience: null,
  consentPurpose: 'service',
  endsOn: ['clicked', 'dismissed'],
  caps: NO_CAPS,
  isCapExempt: false,
  variants: [],
  createdAtMs: 0,
};
const SOMEBODY: Person = {
  userId: 'user-1',
  traits: {},
  segmentIds: new Set(),
  isSuppressed: false,
  consents: new Map(),
  exposures: new Map(),
  isHistoryCut: false,
};

function shownAgo(...secondsAgo: number[]): Exposure {
  const recentMs = secondsAgo.map(seconds => NOW_MS - seconds * 1000);
  return {
    impressions: recentMs.length,
    lastImpressionMs: recentMs.length === 0 ? undefined : Math.max(...recentMs),
    recentMs,
    isClicked: false,
    isDismissed: false,
  };
}

function seen(exposure: Partial<Exposure>, campaignId = OPEN.id): Person {
  return { ...SOMEBODY, exposures: new Map([[campaignId, { ...shownAgo(), ...exposure }]]) };
}

function reasonFor(
  campaign: Partial<Campaign<unknown>>,
  person: Person | undefined = SOMEBODY,
  surface?: string,
  caps = UNLIMITED,
): GateReason | undefined {
  return gate(toGated({ ...OPEN, ...campaign }), toViewer(person, surface, NOW_MS, caps));
}

const nobody = (campaign: Partial<Campaign<unknown>>) =>
  gate(toGated({ ...OPEN, ...campaign }), toViewer(undefined, undefined, NOW_MS, UNLIMITED));

describe('each gate closes', () => {
  test('live and within its period', () => {
    expect(reasonFor({})).toBeUndefined();
    for (const status of ['DRAFT', 'PAUSED', 'ARCHIVED'] as const)
      expect(reasonFor({ status })).toBe('NOT_LIVE');
    expect(reasonFor({ startsAtMs: NOW_MS + 1 })).toBe('NOT_STARTED');
    expect(reasonFor({ startsAtMs: NOW_MS })).toBeUndefined();
    expect(reasonFor({ endsAtMs: NOW_MS + 1 })).toBeUndefined();
    expect(reasonFor({ endsAtMs: NOW_MS })).toBe('ENDED');
  });

  test('surface', () => {
    expect(reasonFor({ surfaces: ['bill'] }, SOMEBODY, 'bill')).toBeUndefined();
    expect(reasonFor({ surfaces: ['bill', 'home'] }, SOMEBODY, 'home')).toBeUndefined();
    expect(reasonFor({ surfaces: ['bill'] }, SOMEBODY, 'home')).toBe('OTHER_SURFACE');
    expect(reasonFor({ surfaces: ['bill'] })).toBeUndefined();
    expect(reasonFor({ surfaces: [] }, SOMEBODY, 'never heard of')).toBeUndefined();
  });

  test('audience: an unknown person matches no audience', () => {
    const audience = { trait: 'plan', operator: 'eq', value: 'pro' } as const;
    expect(reasonFor({ audience }, { ...SOMEBODY, traits: { plan: 'pro' } })).toBeUndefined();
    expect(reasonFor({ audience })).toBe('NOT_IN_AUDIENCE');
    expect(nobody({ audience: { not: audience } })).toBe('NOT_IN_AUDIENCE');
    expect(nobody({})).toBeUndefined();
  });

  test.each([
    ['marketing', undefined, false, 'CONSENT_UNKNOWN'],
    ['personalization', undefined, false, 'CONSENT_UNKNOWN'],
    ['research', undefined, false, 'CONSENT_UNKNOWN'],
    ['of_our_own', undefined, false, 'CONSENT_UNKNOWN'],
    ['service', undefined, false, undefined],
    ['transactional', undefined, false, undefined],
    ['marketing', 'GRANTED', false, undefined],
    ['of_our_own', 'GRANTED', false, undefined],
    ['marketing', 'DENIED', false, 'CONSENT_DENIED'],
    ['service', 'DENIED', false, 'CONSENT_DENIED'],
    ['transactional', 'DENIED', true, 'CONSENT_DENIED'],
    ['marketing', 'GRANTED', true, 'CONTACT_SUPPRESSED'],
    ['service', undefined, true, undefined],
  ] as const)('consent to %s: %s, suppressed %s: %s', (purpose, status, isSuppressed, expected) => {
    expect(consentReason(purpose, status, isSuppressed)).toBe(expected);
    const consents = new Map(status === undefined ? [] : [[purpose, status]]);
    const person = { ...SOMEBODY, isSuppressed, consents };
    expect(reasonFor({ consentPurpose: purpose }, person)).toBe(expected);
  });

  test('an unidentified person has given no consent', () => {
    expect(nobody({ consentPurpose: 'marketing' })).toBe('CONSENT_UNKNOWN');
  });

  test('only the configured interactions end a campaign for the person', () => {
    expect(reasonFor({}, seen({ isClicked: true }))).toBe('CLICKED');
    expect(reasonFor({}, seen({ isDismissed: true }))).toBe('DISMISSED');
    expect(reasonFor({ endsOn: ['dismissed'] }, seen({ isClicked: true }))).toBeUndefined();
    expect(reasonFor({ endsOn: [] }, seen({ isClicked: true, isDismissed: true }))).toBeUndefined();
    expect(reasonFor({}, seen({ isClicked: true }, 'campaign-2'))).toBeUndefined();
  });

  test('its own caps', () => {
    const total = { caps: { ...NO_CAPS, totalMax: 2 } };
    expect(reasonFor(total, seen({ impressions: 1 }))).toBeUndefined();
    expect(reasonFor(total, seen({ impressions: 2 }))).toBe('TOTAL_CAP');

    const window = { caps: { ...NO_CAPS, windowMax: 2, windowSeconds: 60 } };
    expect(reasonFor(window, seen(shownAgo(10, 60, 61)))).toBeUndefined();
    expect(reasonFor(window, seen(shownAgo(10, 59)))).toBe('WINDOW_CAP');

    const interval = { caps: { ...NO_CAPS, intervalSecondsMin: 60 } };
    expect(reasonFor(interval, seen(shownAgo(60)))).toBeUndefined();
    expect(reasonFor(interval, seen(shownAgo(600, 59)))).toBe('INTERVAL_CAP');
    expect(reasonFor(interval, seen({ isClicked: true }))).toBe('CLICKED');
    expect(reasonFor({ ...interval, endsOn: [] }, seen({ isClicked: true }))).toBeUndefined();
  });

  test('caps of the workspace count all campaigns, in any 24 hours', () => {
    const daily = { dailyMax: 3, intervalSecondsMin: null };
    const person: Person = {
      ...SOMEBODY,
      exposures: new Map([
        ['campaign-2', shownAgo(100, DAY_SECONDS - 1)],
        ['campaign-3', shownAgo(200, DAY_SECONDS)],
      ]),
    };
    expect(reasonFor({}, person, undefined, { ...daily, dailyMax: 4 })).toBeUndefined();
    expect(reasonFor({}, person, undefined, daily)).toBe('WORKSPACE_DAILY_CAP');
    expect(reasonFor({ isCapExempt: true }, person, undefined, daily)).toBeUndefined();

    const interval = { dailyMax: null, intervalSecondsMin: 101 };
    expect(reasonFor({}, person, undefined, interval)).toBe('WORKSPACE_INTERVAL_CAP');
    expect(
      reasonFor({}, person, undefined, { ...interval, intervalSecondsMin: 100 }),
    ).toBeUndefined();
    expect(reasonFor({ isCapExempt: true }, person, undefined, interval)).toBeUndefined();
  });

  test('campaigns that depend on an incompletely read history are hidden', () => {
    const person = { ...SOMEBODY, isHistoryCut: true };
    const caps = { dailyMax: 1, intervalSecondsMin: null };
    expect(reasonFor({}, person)).toBe('HISTORY_TOO_LONG');
    expect(reasonFor({ endsOn: [] }, person)).toBeUndefined();
    expect(reasonFor({ endsOn: [], caps: { ...NO_CAPS, totalMax: 1 } }, person)).toBe(
      'HISTORY_TOO_LONG',
    );
    expect(reasonFor({ endsOn: [] }, person, undefined, caps)).toBe('HISTORY_TOO_LONG');
  });
});

// Each fault closes one gate, in the order of the gates. With several faults, the first one is the
// reason.
type Fault = {
  readonly reason: GateReason;
  readonly campaign?: Partial<Campaign<unknown>>;
  readonly cap?: Partial<Campaign<unknown>['caps']>;
  readonly person?: Partial<Person>;
  readonly exposure?: Partial<Exposure>;
  readonly workspace?: Partial<WorkspaceCaps>;
};
const FAULTS: readonly Fault[] = [
  { reason: 'NOT_LIVE', campaign: { status: 'PAUSED' } },
  { reason: 'NOT_STARTED', campaign: { startsAtMs: NOW_MS + 1 } },
  { reason: 'ENDED', campaign: { endsAtMs: NOW_MS } },
  { reason: 'OTHER_SURFACE', campaign: { surfaces: ['bill'] } },
  {
    reason: 'NOT_IN_AUDIENCE',
    campaign: { audience: { trait: 'x', operator: 'exists', value: true } },
  },
  { reason: 'CONSENT_DENIED', person: { consents: new Map([['marketing', 'DENIED']]) } },
  { reason: 'CONTACT_SUPPRESSED', person: { isSuppressed: true } },
  { reason: 'CLICKED', exposure: { isClicked: true } },
  { reason: 'DISMISSED', exposure: { isDismissed: true } },
  { reason: 'HISTORY_TOO_LONG', person: { isHistoryCut: true } },
  { reason: 'TOTAL_CAP', cap: { totalMax: 1 } },
  { reason: 'WINDOW_CAP', cap: { windowMax: 1, windowSeconds: 60 } },
  { reason: 'INTERVAL_CAP', cap: { intervalSecondsMin: 60 } },
  { reason: 'WORKSPACE_DAILY_CAP', workspace: { dailyMax: 1 } },
  { reason: 'WORKSPACE_INTERVAL_CAP', workspace: { intervalSecondsMin: 60 } },
];

test('if several gates are closed, the first one is the reason', () => {
  fc.assert(
    fc.property(fc.subarray([...FAULTS]), faults => {
      const caps = Object.assign({}, NO_CAPS, ...faults.map(({ cap }) => cap));
      const campaign = Object.assign(
        { consentPurpose: 'marketing', caps },
        ...faults.map(fault => fault.campaign),
      );
      const exposure = Object.assign(shownAgo(10), ...faults.map(fault => fault.exposure));
      const person: Person = Object.assign(
        { ...seen(exposure), consents: new Map([['marketing', 'GRANTED']]) },
        ...faults.map(fault => fault.person),
      );
      const workspace = Object.assign({}, UNLIMITED, ...faults.map(fault => fault.workspace));
      expect(reasonFor(campaign, person, 'home', workspace)).toBe(faults[0]?.reason);
    }),
    { numRuns: 2_000 },
  );
});

test('campaigns that pass all gates are returned in display order, the others with the reason', () => {
  const campaign = fc.record({
    id: fc.uuid(),
    priority: fc.integer({ min: -2, max: 2 }),
    createdAtMs: fc.integer({ min: 0, max: 2 }),
    status: fc.constantFrom('LIVE' as const, 'PAUSED' as const),
  });
  fc.assert(
    fc.property(fc.uniqueArray(campaign, { selector: ({ id }) => id }), given => {
      const campaigns = given.map(fields => toGated({ ...OPEN, ...fields }));
      const viewer = toViewer(SOMEBODY, undefined, NOW_MS, UNLIMITED);
      const { shown, skipped } = selectCampaigns(campaigns, viewer);
      expect(shown.length + skipped.length).toBe(campaigns.length);
      for (const { campaign, reason } of skipped)
        expect([campaign.status, reason]).toEqual(['PAUSED', 'NOT_LIVE']);
      for (const [index, after] of shown.entries()) {
        expect(after.status).toBe('LIVE');
        const before = shown[index - 1];
        if (before === undefined) continue;
        expect(compareForDisplay(before, after)).toBeLessThan(0);
        const isByPriority = before.priority > after.priority;
        const isByAge =
          before.priority === after.priority && before.createdAtMs < after.createdAtMs;
        const isById =
          before.priority === after.priority &&
          before.createdAtMs === after.createdAtMs &&
          before.id < after.id;
        expect(isByPriority || isByAge || isById).toBe(true);
      }
    }),
  );
});
