import { z } from 'zod';
import {
  CAMPAIGN_ENDS,
  CAMPAIGN_STATUSES,
  CAMPAIGN_TYPES,
  campaignSchema,
} from '../../schema/campaign/campaign.ts';
import { parseInstant } from '../../schema/values/instant.ts';
import { requiredText } from '../../schema/values/text.ts';
import { time } from '../platform/rest/time.contract.ts';

const { shape } = campaignSchema;
const capsShape = shape.caps.shape;

const caps = z.strictObject({
  totalMax: capsShape.totalMax.default(null),
  windowMax: capsShape.windowMax.default(null),
  windowSeconds: capsShape.windowSeconds.default(null),
  intervalSecondsMin: capsShape.intervalSecondsMin.default(null),
});

/** GraphQL sends null for an omitted `content`. */
const variants = z.preprocess(
  given => (Array.isArray(given) ? given.map(withoutNullContent) : given),
  shape.variants,
);

/** Omitted settings are unchanged, or take their defaults in a new campaign. Null clears a
 * setting. */
const settings = {
  surfaces: shape.surfaces.nullish(),
  content: shape.content.optional(),
  priority: shape.priority.optional(),
  startsAt: z.date().nullish(),
  endsAt: z.date().nullish(),
  audience: shape.audience.optional(),
  consentPurpose: shape.consentPurpose.optional(),
  endsOn: shape.endsOn.optional(),
  caps: caps.nullish(),
  isCapExempt: shape.isCapExempt.optional(),
  variants: variants.nullish(),
};

export const campaignCreateContract = z.strictObject({
  name: shape.name,
  type: shape.type,
  ...settings,
});
export type CampaignCreate = z.output<typeof campaignCreateContract>;

/** The version that the change is based on. A later version in the database is a conflict. */
const version = z.int().min(1).meta({
  description:
    'The version that the update is based on. The update fails with 409 if the campaign has a newer version.',
  example: 1,
});

export const campaignUpdateContract = z.strictObject({
  id: z.uuid(),
  version,
  name: shape.name.optional(),
  type: shape.type.optional(),
  ...settings,
});
export type CampaignUpdate = z.output<typeof campaignUpdateContract>;

/** `version` ensures that the campaign that was reviewed is the one that is launched. */
export const campaignLaunchContract = z.strictObject({ id: z.uuid(), version });
export type CampaignLaunch = z.output<typeof campaignLaunchContract>;

export const campaignIdContract = z.strictObject({ id: z.uuid() });
export type CampaignId = z.output<typeof campaignIdContract>;

const SEARCH_CHARACTERS_MAX = 256;

export const campaignFilterContract = z.object({
  status: z.enum(CAMPAIGN_STATUSES).nullish(),
  type: z.enum(CAMPAIGN_TYPES).nullish(),
  surface: requiredText(SEARCH_CHARACTERS_MAX).nullish().meta({
    description:
      'Filters by surface. Campaigns that are not limited to specific surfaces are always included.',
    example: 'home_feed',
  }),
  search: requiredText(SEARCH_CHARACTERS_MAX)
    .nullish()
    .meta({ description: 'Filters by part of the name, ignoring case.', example: 'sale' }),
});
export type CampaignFilter = z.output<typeof campaignFilterContract>;

// The same settings with REST's field names.

const instant = z.string().transform((value, context) => {
  const found = parseInstant(value);
  if (found !== undefined) return new Date(found.ms);
  context.addIssue({ code: 'custom', message: 'must be an ISO 8601 time.' });
  return z.NEVER;
});

const CAPS_EXAMPLE = {
  total_max: 5,
  window_max: 1,
  window_seconds: 86_400,
  interval_seconds_min: null,
};
const capsBody = z.strictObject({
  total_max: capsShape.totalMax.default(null).meta({ example: 5 }),
  window_max: capsShape.windowMax.default(null).meta({ example: 1 }),
  window_seconds: capsShape.windowSeconds.default(null).meta({ example: 86_400 }),
  interval_seconds_min: capsShape.intervalSecondsMin.default(null).meta({ example: null }),
});

const AUDIENCE_EXAMPLE = { and: [{ trait: 'plan', operator: 'eq', value: 'pro' }] };
const CONTENT_EXAMPLE = { title: '20% off', action_url: 'https://shop.example/autumn' };
const json = (example: unknown) => ({ type: 'object' as const, example });

const settingsBody = {
  surfaces: settings.surfaces.meta({
    description: 'The surfaces on which to show the campaign; empty for all surfaces.',
    example: ['home_feed'],
  }),
  content: settings.content.meta(json(CONTENT_EXAMPLE)),
  priority: settings.priority.meta({
    description: 'The priority. Campaigns with a higher priority are displayed first.',
    example: 10,
  }),
  starts_at: instant.nullish().meta({
    description:
      'When the campaign starts, as an ISO 8601 time. Defaults to the time of the launch.',
    example: '2026-11-21T09:30:00.000Z',
  }),
  ends_at: instant.nullish().meta({
    description:
      'When the campaign ends, as an ISO 8601 time after the start. If omitted, the campaign has no end.',
    example: '2026-12-01T00:00:00.000Z',
  }),
  audience: settings.audience.meta({
    ...json(AUDIENCE_EXAMPLE),
    description:
      'Conditions on traits and segment membership (`{"segment_id": …}`), combined with `and`, `or` and `not`; null if the campaign is for everyone.',
  }),
  consent_purpose: settings.consentPurpose.meta({ example: 'marketing' }),
  ends_on: settings.endsOn.meta({ example: ['clicked', 'dismissed'] }),
  caps: capsBody.nullish().meta({ example: CAPS_EXAMPLE }),
  is_cap_exempt: settings.isCapExempt.meta({ example: false }),
  variants: shape.variants.nullish().meta({
    example: [
      { id: 'a', weight: 1 },
      { id: 'b', weight: 1, content: CONTENT_EXAMPLE },
    ],
  }),
};

const name = shape.name.meta({ description: 'The name of the campaign.', example: 'Autumn sale' });
const type = shape.type.meta({
  description: 'The display type of the campaign.',
  example: 'banner',
});

export const campaignCreateBody = z
  .strictObject({ name, type, ...settingsBody })
  .meta({ id: 'CampaignCreate' });
export type CampaignCreateBody = z.output<typeof campaignCreateBody>;

export const campaignUpdateBody = z
  .strictObject({ version, name: name.optional(), type: type.optional(), ...settingsBody })
  .meta({ id: 'CampaignUpdate' });

export const campaignResource = z
  .object({
    id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' }),
    name,
    type: z.string().meta({ example: 'banner' }),
    status: z.enum(CAMPAIGN_STATUSES).meta({ example: 'LIVE' }),
    surfaces: z.array(z.string()).meta({ example: ['home_feed'] }),
    content: z.record(z.string(), z.unknown()).meta({ example: CONTENT_EXAMPLE }),
    priority: z.int().meta({ example: 10 }),
    starts_at: time.nullable(),
    ends_at: time.nullable(),
    audience: z.unknown().meta({
      description: 'The audience rule; null if the campaign is for everyone.',
      example: AUDIENCE_EXAMPLE,
    }),
    consent_purpose: z.string().meta({ example: 'marketing' }),
    ends_on: z.array(z.enum(CAMPAIGN_ENDS)).meta({ example: ['clicked', 'dismissed'] }),
    caps: z.object({
      total_max: z.int().nullable().meta({ example: 5 }),
      window_max: z.int().nullable().meta({ example: 1 }),
      window_seconds: z.int().nullable().meta({ example: 86_400 }),
      interval_seconds_min: z.int().nullable().meta({ example: null }),
    }),
    is_cap_exempt: z.boolean().meta({ example: false }),
    variants: z
      .array(z.object({ id: z.string(), weight: z.number(), content: z.unknown().optional() }))
      .meta({ example: [{ id: 'a', weight: 1 }] }),
    version: z.int().meta({
      description: 'The version of the campaign, incremented on each change.',
      example: 3,
    }),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Campaign' });
export type CampaignResource = z.output<typeof campaignResource>;

function withoutNullContent(variant: unknown): unknown {
  if (typeof variant !== 'object' || variant === null) return variant;
  const { content, ...others } = variant as { readonly content?: unknown };
  return content === null || content === undefined ? others : variant;
}
