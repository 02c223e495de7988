// The campaign as the gates use it, and the schema of its settings. The shape of the content
// depends on the display type; code that only passes content on can hold it as JSON text.

import { z } from 'zod';
import { text } from '../values/text.ts';
import { type Audience, audienceSchema } from './audience.ts';

/** The display types. */
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

/** The interactions that can end a campaign for a person. */
export const CAMPAIGN_ENDS = ['clicked', 'dismissed'] as const;
export type CampaignEnd = (typeof CAMPAIGN_ENDS)[number];

export type Variant<Content> = {
  readonly id: string;
  /** The weight relative to the other variants. */
  readonly weight: number;
  /** Replaces the content of the campaign. */
  readonly content?: Content;
};

/** The frequency caps per person; null if unlimited. */
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
  /** Empty means all surfaces. */
  readonly surfaces: readonly string[];
  readonly content: Content;
  readonly priority: number;
  readonly startsAtMs: number | null;
  readonly endsAtMs: number | null;
  /** Null means everyone. */
  readonly audience: Audience | null;
  readonly consentPurpose: string;
  readonly endsOn: readonly CampaignEnd[];
  readonly caps: Caps;
  /** Ignores the workspace's caps. Its impressions still count toward them. */
  readonly isCapExempt: boolean;
  readonly variants: readonly Variant<Content>[];
  readonly createdAtMs: number;
};

/** Each request evaluates all live campaigns of its workspace. */
export const LIVE_CAMPAIGNS_MAX = 1_000;
/** The maximum size of the content of a campaign or a variant, as JSON. Images are URLs,
 * not bytes. */
export const CONTENT_BYTES_MAX = 64 * 1024;
const VARIANTS_MAX = 10;
/** Caps with a window count single impressions, which are read at most this far back. */
export const WINDOW_SECONDS_MAX = 31 * 24 * 60 * 60;

const SURFACES_MAX = 50;
const SURFACE_CHARACTERS_MAX = 128;
const NAME_CHARACTERS_MAX = 256;
const VARIANT_ID_CHARACTERS_MAX = 64;
const INTEGER_MAX = 2_147_483_647;

const named = (charactersMax: number) =>
  text(charactersMax).refine(value => value.trim() !== '', { error: 'must not be empty.' });
const count = (max = INTEGER_MAX) => z.int().min(1).max(max).nullable();
/** Matches a NUL character or a lone surrogate as JSON.stringify escapes it, but not after a
 * backslash that is itself escaped. */
const NOT_FOR_POSTGRES = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/** Far more than a display type needs. JSON readers and writers recurse, so the depth is
 * limited. */
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
    error: 'contains a NUL character or a lone surrogate.',
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
    error: 'must not contain duplicate IDs.',
  })
  .refine(variants => variants.length === 0 || variants.some(({ weight }) => weight > 0), {
    error: 'must include a weight greater than 0.',
  });

/** The settings that an operator can choose. The service assigns IDs, the status and the times. */
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
      error: 'must be a lowercase word of at most 64 letters, digits and underscores.',
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
    error: 'must be set together with windowSeconds.',
    path: ['caps', 'windowMax'],
  });

function isDeeper(value: unknown, levelsMax: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levelsMax === 0 || Object.values(value).some(inner => isDeeper(inner, levelsMax - 1));
}
