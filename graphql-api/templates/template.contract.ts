import { z } from 'zod';
import { requiredText, text } from '../../schema/values/text.ts';
import { BUTTON_TYPES, HEADER_TYPES, TEMPLATE_CHANNELS } from './content.ts';

const NAME_CHARACTERS_MAX = 256;
const DESCRIPTION_CHARACTERS_MAX = 2_000;
/**
 * Above every channel's limit, so that a body that is too long can be stored, shown and shortened.
 */
const BODY_CHARACTERS_MAX = 200_000;
const LINE_CHARACTERS_MAX = 4_096;
const LABEL_CHARACTERS_MAX = 512;
export const BUTTONS_KEPT_MAX = 20;
const SAMPLES_MAX = 200;

/** The categories of the messaging app, of SMS registration, and of email. */
export const TEMPLATE_CATEGORIES = [
  'marketing',
  'utility',
  'authentication',
  'promotional',
  'transactional',
  'service_implicit',
  'service_explicit',
] as const;

const name = requiredText(NAME_CHARACTERS_MAX);
const description = text(DESCRIPTION_CHARACTERS_MAX);
const templateChannel = z.enum(TEMPLATE_CHANNELS);
const templateLanguage = z
  .string()
  .max(35)
  .regex(/^[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*$/, {
    error: 'must be a language code such as en or pt_BR.',
  });

/** Null means no header. Fields that the type does not use are rejected. */
const header = z
  .strictObject({
    type: z.enum(HEADER_TYPES),
    text: text(LINE_CHARACTERS_MAX).nullish(),
    url: text(LINE_CHARACTERS_MAX).nullish(),
  })
  .transform(({ type, text: line, url }, context) => {
    const given = type === 'text' ? line : url;
    if (typeof given === 'string' && (type === 'text' ? url : line) == null)
      return type === 'text' ? ({ type, text: given } as const) : ({ type, url: given } as const);
    const message =
      type === 'text'
        ? 'type text requires text and does not accept url.'
        : `type ${type} requires url and does not accept text.`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

const label = text(LABEL_CHARACTERS_MAX);
const buttonFields = {
  type: z.enum(BUTTON_TYPES),
  text: label,
  url: text(LINE_CHARACTERS_MAX).nullish(),
  code: label.nullish(),
};

const button = z
  .strictObject({ ...buttonFields, phoneNumber: label.nullish() })
  .transform(({ type, text: shown, url, phoneNumber, code }) => ({
    type,
    text: shown,
    ...(url != null && { url }),
    ...(phoneNumber != null && { phoneNumber }),
    ...(code != null && { code }),
  }));

const body = text(BODY_CHARACTERS_MAX);
const category = z.enum(TEMPLATE_CATEGORIES);
const line = text(LINE_CHARACTERS_MAX);
const samples = z
  .record(text(LABEL_CHARACTERS_MAX), line)
  .refine(given => Object.keys(given).length <= SAMPLES_MAX, {
    error: `must have at most ${SAMPLES_MAX} values.`,
  });

/** Omitted fields keep the value of the version that the new one is based on; null clears. */
const said = {
  category: category.nullish(),
  body: body.optional(),
  header: header.nullish(),
  footer: line.nullish(),
  buttons: z.array(button).max(BUTTONS_KEPT_MAX).nullish(),
  preheader: line.nullish(),
  plainText: body.nullish(),
  dltEntityId: label.nullish(),
  dltTemplateId: label.nullish(),
  samples: samples.nullish(),
};

const content = {
  ...said,
  forceRollout: z.boolean().optional(),
  note: line.optional(),
};

export const templateCreateContract = z.strictObject({ name, description: description.nullish() });
export type TemplateCreate = z.output<typeof templateCreateContract>;

export const templateUpdateContract = z.strictObject({
  id: z.uuid(),
  version: z.int().min(1),
  name: name.optional(),
  description: description.nullish(),
});
export type TemplateUpdate = z.output<typeof templateUpdateContract>;

export const templateIdContract = z.strictObject({ id: z.uuid() });
export type TemplateId = z.output<typeof templateIdContract>;

/** The fields of a new version, shared with the REST body. */
export const templateVersionShape = {
  channel: templateChannel.optional(),
  language: templateLanguage.optional(),
  ...content,
};

export const templateVersionCreateContract = z.strictObject({
  id: z.uuid(),
  ...templateVersionShape,
});
export type TemplateVersionCreate = z.output<typeof templateVersionCreateContract>;

/** The revision that the edit is based on. An edit in between is a conflict. */
const expectedRevision = z.int().min(1);

export const templateVersionEditContract = z.strictObject({
  id: z.uuid(),
  expectedRevision,
  ...content,
});
export type TemplateVersionEdit = z.output<typeof templateVersionEditContract>;
export type TemplateContentInput = Omit<TemplateVersionEdit, 'id' | 'expectedRevision'>;

/** An edit that is not saved. */
export const templateTrialContract = z.strictObject(said);

/** If the caller names the reviewed revision, only that revision is submitted. */
export const templateVersionSubmitContract = z.strictObject({
  id: z.uuid(),
  expectedRevision: expectedRevision.optional(),
});
export type TemplateVersionSubmit = z.output<typeof templateVersionSubmitContract>;

export const templateVersionRestoreContract = z.strictObject({
  id: z.uuid(),
  note: line.optional(),
});
export type TemplateVersionRestore = z.output<typeof templateVersionRestoreContract>;

const catalogVersion = z.strictObject({
  channel: templateChannel,
  language: templateLanguage,
  category: content.category,
  body,
  header: content.header,
  footer: content.footer,
  buttons: content.buttons,
  preheader: content.preheader,
  plainText: content.plainText,
  samples: content.samples,
});
export type CatalogVersionInput = z.output<typeof catalogVersion>;

const CATALOG_VERSIONS_MAX = 100;

export const catalogEntryCreateContract = z.strictObject({
  name,
  description: description.nullish(),
  versions: z.array(catalogVersion).min(1).max(CATALOG_VERSIONS_MAX),
  source: z.record(z.string(), z.unknown()),
});
export type CatalogEntryCreate = z.output<typeof catalogEntryCreateContract>;

export const templateFromCatalogEntryContract = z.strictObject({
  catalogEntryId: z.uuid(),
  name: name.optional(),
});
export type TemplateFromCatalogEntry = z.output<typeof templateFromCatalogEntryContract>;
