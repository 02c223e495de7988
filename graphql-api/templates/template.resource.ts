// The REST representations of templates.

import { z } from 'zod';
import { time } from '../platform/rest/time.contract.ts';
import { BUTTON_TYPES, HEADER_TYPES, TEMPLATE_CHANNELS } from './content.ts';
import {
  BUTTONS_KEPT_MAX,
  TEMPLATE_CATEGORIES,
  templateCreateContract,
  templateVersionShape,
} from './template.contract.ts';
import { TEMPLATE_STATES } from './transitions.ts';

const UUID = '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10';
const BODY = 'Hello {{first_name}}, your order {{order_id}} is on its way.';

const { header, buttons, preheader, plainText, dltEntityId, dltTemplateId, ...same } =
  templateVersionShape;
const line = templateCreateContract.shape.name;

/** A plain string is shorthand for a text header. */
const headerBody = z.preprocess(
  given => (typeof given === 'string' ? { type: 'text', text: given } : given),
  header,
);

const buttonBody = z.preprocess(given => {
  if (typeof given !== 'object' || given === null || !('phone_number' in given)) return given;
  const { phone_number: phoneNumber, ...others } = given;
  return { ...others, phoneNumber };
}, buttons.unwrap().unwrap().element);

/** Written out, because the preprocessed schema prints nothing. */
const BUTTON_SCHEMA = {
  type: 'object',
  properties: {
    type: { enum: BUTTON_TYPES },
    text: { type: 'string' },
    url: { type: ['string', 'null'], description: 'The URL to open. Required if `type` is url.' },
    phone_number: {
      type: ['string', 'null'],
      description: 'The phone number to call. Required if `type` is phone.',
    },
    code: {
      type: ['string', 'null'],
      description: 'The code to copy. Required if `type` is copy_code.',
    },
  },
  required: ['type', 'text'],
  additionalProperties: false,
} as const;

export const templateVersionCreateBody = z
  .strictObject({
    channel: same.channel.meta({
      description:
        'The channel. Defaults to the first of messaging_app, sms and email that the template has versions for, or to messaging_app if it has none.',
      example: 'messaging_app',
    }),
    language: same.language.meta({ example: 'en' }),
    category: same.category.meta({ example: 'utility' }),
    body: same.body.meta({
      description: 'The body: HTML for an email, and text for other channels.',
      example: BODY,
    }),
    header: headerBody.meta({
      type: 'object',
      properties: {
        type: { enum: HEADER_TYPES },
        text: { type: 'string' },
        url: { type: 'string' },
      },
      required: ['type'],
      additionalProperties: false,
      description:
        'The header. For an email, this is the subject; for an SMS, it is the registered sender ID.',
      example: { type: 'text', text: 'On its way' },
    }),
    footer: same.footer.meta({ example: 'Example Shop' }),
    buttons: z
      .array(buttonBody)
      .nullish()
      .meta({
        type: 'array',
        maxItems: BUTTONS_KEPT_MAX,
        items: BUTTON_SCHEMA,
        example: [{ type: 'url', text: 'Track it', url: 'https://example.com/{{order_id}}' }],
      }),
    preheader: preheader.meta({ description: 'The preview text. Email only.', example: null }),
    plain_text: plainText.meta({
      description: 'The plain-text alternative. Email only.',
      example: null,
    }),
    dlt_entity_id: dltEntityId.meta({
      description: 'The registered entity ID of the sender. SMS in India only.',
      example: null,
    }),
    dlt_template_id: dltTemplateId.meta({
      description: 'The registered template ID of the text. SMS in India only.',
      example: null,
    }),
    samples: same.samples.meta({
      type: 'object',
      description:
        'Sample values by variable name. If a variable has no sample value, the service generates one.',
      example: { first_name: 'Asha' },
    }),
    force_rollout: same.forceRollout.meta({
      description:
        'Whether enrolments in flight are moved to this version once it is approved. Only owners can set this to true.',
      example: false,
    }),
    note: same.note.meta({ example: 'Shorter.' }),
  })
  .meta({ id: 'TemplateVersionCreate' });

export const templateCreateBody = z
  .strictObject({
    name: line.meta({ example: 'Order on its way' }),
    description: templateCreateContract.shape.description.meta({ example: 'After dispatch.' }),
  })
  .meta({ id: 'TemplateCreate' });

export const templateVersionResource = z
  .object({
    version_id: z.uuid().meta({ example: UUID }),
    template_id: z.uuid().meta({ example: UUID }),
    channel: z.enum(TEMPLATE_CHANNELS).meta({ example: 'messaging_app' }),
    language: z.string().meta({ example: 'en' }),
    state: z.enum(TEMPLATE_STATES).meta({ example: 'Active' }),
    category: z.enum(TEMPLATE_CATEGORIES).nullable().meta({ example: 'utility' }),
    body: z.string().meta({ example: BODY }),
    header: z
      .object({
        type: z.enum(HEADER_TYPES),
        text: z.string().optional(),
        url: z.string().optional(),
      })
      .nullable()
      .meta({ example: { type: 'text', text: 'On its way' } }),
    footer: z.string().nullable().meta({ example: 'Example Shop' }),
    buttons: z
      .array(
        z.object({
          type: z.enum(BUTTON_TYPES),
          text: z.string(),
          url: z.string().optional(),
          phone_number: z.string().optional(),
          code: z.string().optional(),
        }),
      )
      .meta({
        example: [{ type: 'url', text: 'Track it', url: 'https://example.com/{{order_id}}' }],
      }),
    variables: z
      .array(
        z.object({
          name: z.string(),
          type: z.string(),
          is_required: z.boolean(),
          fallback: z.string().nullable(),
          sample: z.string(),
        }),
      )
      .meta({
        description: 'The variables that the placeholders refer to.',
        example: [
          { name: 'first_name', type: 'text', is_required: true, fallback: null, sample: 'Asha' },
        ],
      }),
    force_rollout: z.boolean().meta({ example: false }),
    created_at: time,
    submitted_at: time.nullable(),
    approved_at: time.nullable(),
    activated_at: time.nullable(),
    rejection_reason: z.string().nullable().meta({ example: null }),
    pinned_count: z.int().meta({
      description: 'The number of enrolments in flight that are pinned to the version.',
      example: 3,
    }),
  })
  .meta({ id: 'TemplateVersion' });
export type TemplateVersionResource = z.output<typeof templateVersionResource>;

const standing = {
  active_version: templateVersionResource.nullable().meta({
    description:
      'The Active version. If several channels or languages have one, this is the most recently activated version.',
  }),
  approved_versions: z.array(templateVersionResource).meta({
    description: 'The Approved, Active and Superseded versions, most recently approved first.',
  }),
};

const named = {
  template_id: z.uuid().meta({ example: UUID }),
  name: z.string().meta({ example: 'Order on its way' }),
  description: z.string().meta({ example: 'After dispatch.' }),
  archived_at: time.nullable().meta({ example: null }),
  created_at: time,
  updated_at: time,
};

/** A template in a list. */
export const templateSummaryResource = z.object(named).meta({ id: 'TemplateSummary' });
export type TemplateSummaryResource = z.output<typeof templateSummaryResource>;

export const templateResource = z
  .object({
    ...named,
    ...standing,
    channels: z.partialRecord(z.enum(TEMPLATE_CHANNELS), z.object(standing)).meta({
      description:
        'The Active and approved versions of each channel, including channels without versions.',
    }),
  })
  .meta({ id: 'Template' });
export type TemplateResource = z.output<typeof templateResource>;

export const catalogEntrySourceResource = z
  .object({
    id: z.uuid().meta({ example: UUID }),
    name: z.string().meta({ example: 'Order on its way' }),
    description: z.string().meta({ example: 'For shops.' }),
    is_published: z.boolean().meta({ example: true }),
    versions: z.array(z.record(z.string(), z.unknown())).meta({
      example: [{ channel: 'messaging_app', language: 'en', body: BODY }],
    }),
    source: z.record(z.string(), z.unknown()).meta({
      description: 'The unmodified source data that the entry was imported from.',
      example: { origin: 'editorial', author: 'content@example.com' },
    }),
    created_by: z.string().meta({ example: 'user-1' }),
    created_at: time,
  })
  .meta({ id: 'CatalogEntrySource' });
