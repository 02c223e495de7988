// A campaign as its rules see it, and what one may consist of. Content is whatever the display type
// needs; who only passes it on may hold it as JSON text.

import { z } from 'zod';
import { text } from '../values/text.ts';
import { type Audience, audienceSchema } from './audience.ts';

/** How it is displayed. */
export const CAMPAIGN_TYPES = [
  'banner',
  'modal',
  'fullscreen',
  'slide_up',
  'tooltip',
  'nps',
  'poll',
  'quiz',
  'rating',
  'form',
  'countdown',
] as const;

export const CAMPAIGN_STATUSES = ['DRAFT', 'LIVE', 'PAUSED', 'ARCHIVED'] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

/** What a person may do that ends a campaign for them. */
export const CAMPAIGN_ENDS = ['clicked', 'dismissed'] as const;
export type CampaignEnd = (typeof CAMPAIGN_ENDS)[number];

export type Variant<Content> = {
  readonly id: string;
  /** Its share of the people, beside the others' weights. */
  readonly weight: number;
  /** In place of the campaign's own. */
  readonly content?: Content;
};

/** How often one person is shown it; null is unlimited. */
export type Caps = {
  readonly totalMax: number | null;
  readonly windowMax: number | null;
  readonly windowSeconds: number | null;
  readonly intervalSecondsMin: number | null;
};

export type Campaign<Content> = {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly type: string;
  readonly status: CampaignStatus;
  /** None means everywhere. */
  readonly surfaces: readonly string[];
  readonly content: Content;
  readonly priority: number;
  readonly startsAtMs: number | null;
  readonly endsAtMs: number | null;
  /** Null is everybody. */
  readonly audience: Audience | null;
  readonly consentPurpose: string;
  readonly endsOn: readonly CampaignEnd[];
  readonly caps: Caps;
  /** Shown whatever the workspace's caps say; it still counts towards them. */
  readonly isCapExempt: boolean;
  readonly variants: readonly Variant<Content>[];
  readonly createdAtMs: number;
};

/** Each request looks at all live campaigns of its workspace. */
export const LIVE_CAMPAIGNS_MAX = 1_000;
/** A campaign's content, or that of one of its variants, as JSON: images are addresses, not bytes. */
export const CONTENT_BYTES_MAX = 64 * 1024;
export const VARIANTS_MAX = 10;
/** The windows of caps are counted from single impressions, which are read back this far. */
export const WINDOW_SECONDS_MAX = 31 * 24 * 60 * 60;

const SURFACES_MAX = 50;
const SURFACE_CHARACTERS_MAX = 128;
const NAME_CHARACTERS_MAX = 256;
const VARIANT_ID_CHARACTERS_MAX = 64;
const INTEGER_MAX = 2_147_483_647;

const named = (charactersMax: number) =>
  text(charactersMax).refine(value => value.trim() !== '', { error: 'must not be empty.' });
const count = (max = INTEGER_MAX) => z.int().min(1).max(max).nullable();
/** As JSON.stringify writes a NUL character or a lone surrogate, not behind another backslash. */
const NOT_FOR_POSTGRES = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/** Far more than a display type needs; what reads and writes JSON does so by recursion. */
const CONTENT_LEVELS_MAX = 32;

const contentSchema = z
  .record(z.string(), z.unknown())
  .refine(content => !isDeeper(content, CONTENT_LEVELS_MAX), {
    error: `is nested deeper than ${CONTENT_LEVELS_MAX} levels.`,
    abort: true,
  })
  .refine(content => Buffer.byteLength(JSON.stringify(content)) <= CONTENT_BYTES_MAX, {
    error: `is larger than ${CONTENT_BYTES_MAX} bytes as JSON.`,
  })
  .refine(content => !NOT_FOR_POSTGRES.test(JSON.stringify(content)), {
    error: 'has a NUL character or a lone surrogate.',
  });

export const variantsSchema = z
  .array(
    z.strictObject({
      id: named(VARIANT_ID_CHARACTERS_MAX),
      weight: z.number().min(0).max(1_000_000),
      content: contentSchema.optional(),
    }),
  )
  .max(VARIANTS_MAX)
  .refine(variants => new Set(variants.map(({ id }) => id)).size === variants.length, {
    error: 'must not have the same id twice.',
  })
  .refine(variants => variants.length === 0 || variants.some(({ weight }) => weight > 0), {
    error: 'must have a weight above 0.',
  });

/** What an operator may say of a campaign; the ids, status and times of its row are not theirs. */
export const campaignSchema = z
  .strictObject({
    name: named(NAME_CHARACTERS_MAX),
    type: z.enum(CAMPAIGN_TYPES),
    surfaces: z.array(named(SURFACE_CHARACTERS_MAX)).max(SURFACES_MAX),
    content: contentSchema,
    priority: z.int().min(-INTEGER_MAX).max(INTEGER_MAX),
    startsAtMs: z.number().nullable(),
    endsAtMs: z.number().nullable(),
    audience: audienceSchema.nullable(),
    consentPurpose: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, {
      error: 'must be a lower-case word of at most 64 letters, digits and underscores.',
    }),
    endsOn: z.array(z.enum(CAMPAIGN_ENDS)).max(CAMPAIGN_ENDS.length),
    caps: z.strictObject({
      totalMax: count(),
      windowMax: count(),
      windowSeconds: z.int().min(60).max(WINDOW_SECONDS_MAX).nullable(),
      intervalSecondsMin: count(WINDOW_SECONDS_MAX),
    }),
    isCapExempt: z.boolean(),
    variants: variantsSchema,
  })
  .refine(
    ({ startsAtMs, endsAtMs }) => startsAtMs === null || endsAtMs === null || startsAtMs < endsAtMs,
    { error: 'must be after the start.', path: ['endsAtMs'] },
  )
  .refine(({ caps }) => (caps.windowMax === null) === (caps.windowSeconds === null), {
    error: 'needs both windowMax and windowSeconds, or neither.',
    path: ['caps', 'windowMax'],
  });

function isDeeper(value: unknown, levelsMax: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levelsMax === 0 || Object.values(value).some(inner => isDeeper(inner, levelsMax - 1));
}
