import { expect, test } from 'vitest';
import { CONTENT_BYTES_MAX, campaignSchema } from '../../../schema/campaign/campaign.ts';

const VALID = {
  name: 'Autumn sale',
  type: 'banner',
  surfaces: ['home'],
  content: { title: 'Sale' },
  priority: 0,
  startsAtMs: null,
  endsAtMs: null,
  audience: { trait: 'plan', operator: 'eq', value: 'pro' },
  consentPurpose: 'marketing',
  endsOn: ['clicked'],
  caps: { totalMax: 3, windowMax: 1, windowSeconds: 3600, intervalSecondsMin: 60 },
  isCapExempt: false,
  variants: [
    { id: 'a', weight: 1 },
    { id: 'b', weight: 0, content: { title: 'Other' } },
  ],
};

test('a valid campaign', () => {
  expect(campaignSchema.parse(VALID)).toEqual(VALID);
  const bare = { ...VALID, audience: null, surfaces: [], variants: [], startsAtMs: 1, endsAtMs: 2 };
  expect(campaignSchema.parse(bare)).toEqual(bare);
  // Eight characters that only look like an escape.
  expect(campaignSchema.safeParse({ ...VALID, content: { a: '\\u0000' } }).success).toBe(true);
});

test.each<[string, object]>([
  ['name', { name: ' ' }],
  ['name', { name: 'a'.repeat(257) }],
  ['type', { type: 'popup' }],
  ['surfaces.0', { surfaces: [''] }],
  ['surfaces', { surfaces: Array.from({ length: 51 }, (_, at) => `surface-${at}`) }],
  ['content', { content: [] }],
  ['content', { content: { a: 'x'.repeat(CONTENT_BYTES_MAX) } }],
  ['content', { content: { a: '\u0000' } }],
  ['content', { content: { a: '\ud800' } }],
  ['priority', { priority: 1.5 }],
  ['priority', { priority: 3e9 }],
  ['endsAtMs', { startsAtMs: 5, endsAtMs: 5 }],
  ['audience', { audience: 'everybody' }],
  ['consentPurpose', { consentPurpose: 'Marketing' }],
  ['endsOn.0', { endsOn: ['ignored'] }],
  ['caps.totalMax', { caps: { ...VALID.caps, totalMax: 0 } }],
  ['caps.windowMax', { caps: { ...VALID.caps, windowSeconds: null } }],
  ['caps.windowSeconds', { caps: { ...VALID.caps, windowSeconds: 59 } }],
  ['caps.windowSeconds', { caps: { ...VALID.caps, windowSeconds: 32 * 86_400 } }],
  ['caps.intervalSecondsMin', { caps: { ...VALID.caps, intervalSecondsMin: -1 } }],
  [
    'variants',
    {
      variants: [
        { id: 'a', weight: 1 },
        { id: 'a', weight: 1 },
      ],
    },
  ],
  ['variants', { variants: [{ id: 'a', weight: 0 }] }],
  ['variants.0.weight', { variants: [{ id: 'a', weight: -1 }] }],
  ['variants', { variants: Array.from({ length: 11 }, (_, at) => ({ id: `${at}`, weight: 1 })) }],
  ['', { workspaceId: 'mine' }],
])('the error for an invalid %s names it: %j', (path, change) => {
  const { error } = campaignSchema.safeParse({ ...VALID, ...change });
  expect(error?.issues[0]?.path.join('.')).toBe(path);
});
