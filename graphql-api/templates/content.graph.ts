// The GraphQL types and inputs for the content of a version.

import { builder } from '../platform/graph/builder.ts';
import { uppercaseEnum } from '../platform/graph/described-enum.ts';
import { embeddedLists } from '../platform/graph/embedded-list.ts';
import { expose, type Fields, memberObject } from '../platform/graph/fields.ts';
import type { InputFields } from '../platform/graph/mutation.ts';
import type { TemplateButton, TemplateChannel, TemplateHeader } from './content.ts';
import type { Rendered } from './render.ts';
import type { TemplateVariable } from './variables.ts';

export const TemplateChannelEnum = uppercaseEnum<TemplateChannel>(
  'TemplateChannel',
  'The channel that a message is sent on.',
  {
    messaging_app: 'The messaging app.',
    sms: 'SMS, sent from a registered sender ID.',
    email: 'Email with an HTML body.',
  },
);

export const TemplateCategoryEnum = uppercaseEnum(
  'TemplateCategory',
  'The purpose of a message. Each category is available only on some channels.',
  {
    marketing: 'A marketing message. Messaging app and email only.',
    utility: 'A message about something that the person did. Messaging app only.',
    authentication: 'A sign-in code. Messaging app only.',
    promotional: 'A marketing message. SMS only.',
    transactional: 'A message about a transaction. SMS and email only.',
    service_implicit: 'A message about a service that the customer already has. SMS only.',
    service_explicit: 'A message that the customer consented to receive. SMS only.',
  },
);

const HeaderTypeEnum = uppercaseEnum('TemplateHeaderType', 'The type of a header.', {
  text: 'A line of text. In an email, this is the subject; in an SMS, the sender ID.',
  image: 'An image.',
  video: 'A video.',
  document: 'A document that the recipient can open.',
});

const ButtonTypeEnum = uppercaseEnum('TemplateButtonType', 'The action of a button.', {
  url: 'Opens a URL.',
  phone: 'Calls a phone number.',
  quick_reply: 'Replies with the text of the button.',
  copy_code: 'Copies a code.',
  otp: 'Copies the sign-in code.',
});

const VariableTypeEnum = uppercaseEnum(
  'TemplateVariableType',
  'The type of a variable’s value. All types except TEXT come from tags in registered SMS texts.',
  {
    text: 'Any text.',
    number: 'Digits.',
    alphanumeric: 'Letters and digits.',
    url: 'A URL.',
    phone: 'A phone number.',
    email: 'An email address.',
  },
);

export const TemplateHeaderRef = memberObject<TemplateHeader>('TemplateHeader', {
  description: 'The header above the body of a message.',
  fields: t => ({
    ...expose(t, HeaderTypeEnum, { type: 'The type of the header.' }),
    text: t.string({
      description: 'The text; null unless `type` is TEXT.',
      resolve: header => (header.type === 'text' ? header.text : null),
    }),
    url: t.string({
      description: 'The URL of the media; null if `type` is TEXT.',
      resolve: header => (header.type === 'text' ? null : header.url),
    }),
  }),
});

const TemplateButtonRef = memberObject<TemplateButton>('TemplateButton', {
  description: 'A button below the body of a message.',
  fields: t => ({
    ...expose(t, ButtonTypeEnum, { type: 'The action of the button.' }),
    ...expose(t, 'String!', { text: 'The label.' }),
    ...expose(t, 'String', {
      url: 'The URL to open; null unless `type` is URL.',
      phoneNumber: 'The phone number to call; null unless `type` is PHONE.',
      code: 'The code to copy; null unless `type` is COPY_CODE.',
    }),
  }),
});

export const TemplateVariableRef = memberObject<TemplateVariable>('TemplateVariable', {
  description: 'A variable that placeholders in the message refer to.',
  fields: t => ({
    ...expose(t, 'String!', {
      name: 'The variable’s name, as it appears between `{{` and `}}` in the template. For an SMS tag {#var#}, a name that contains the position of the tag, for example `var1`.',
      sample: 'The sample value that is sent to the approver and shown in previews.',
    }),
    ...expose(t, VariableTypeEnum, { type: 'The type of the value.' }),
    ...expose(t, 'Boolean!', {
      isRequired:
        'Whether a value is required for each recipient. If false, `fallback` is used for recipients who have no value.',
    }),
    ...expose(t, 'String', { fallback: 'The default value; null if there is none.' }),
  }),
});

type Components = {
  readonly footer?: string | null | undefined;
  readonly buttons: readonly TemplateButton[];
};

/** The components that a version, a catalog entry and a preview show in the same way. */
export function componentFields<Row extends Components>(t: Fields<Row>) {
  const shown = t as unknown as Fields<Components>;
  return {
    ...expose(shown, 'String', { footer: 'The footer below the body; null if there is none.' }),
    ...embeddedLists(shown, TemplateButtonRef, {
      buttons: 'The buttons below the body, in display order.',
    }),
  };
}

export const TemplatePreviewRef = memberObject<Rendered>('TemplatePreview', {
  description: 'A rendered message, as a recipient would receive it.',
  fields: t => ({
    ...componentFields(t),
    header: t.expose('header', {
      type: TemplateHeaderRef,
      description: 'The header above the body; null if there is none.',
    }),
    ...expose(t, 'String!', { body: 'The body text.' }),
    preheader: t.string({
      description: 'The preview text of an email; null for other channels.',
      resolve: ({ extras }) => extras.preheader,
    }),
    plainText: t.string({
      description: 'The plain-text alternative to an email’s HTML body; null for other channels.',
      resolve: ({ extras }) => extras.plainText,
    }),
    ...expose(t, '[String!]!', {
      missing:
        'The variables that have no value. A message is not sent if any required value is missing.',
    }),
  }),
});

const TemplateHeaderInput = builder.inputType('TemplateHeaderInput', {
  description: 'The header above the body of a message.',
  fields: t => ({
    type: t.field({ type: HeaderTypeEnum, required: true, description: 'The type of the header.' }),
    text: t.string({ description: 'The text. Required if `type` is TEXT.' }),
    url: t.string({ description: 'The https URL of the media. Required unless `type` is TEXT.' }),
  }),
});

const TemplateButtonInput = builder.inputType('TemplateButtonInput', {
  description: 'A button below the body of a message.',
  fields: t => ({
    type: t.field({
      type: ButtonTypeEnum,
      required: true,
      description: 'The action of the button.',
    }),
    text: t.string({ required: true, description: 'The label.' }),
    url: t.string({
      description: 'The URL to open, which may end in a placeholder. Required if `type` is URL.',
    }),
    phoneNumber: t.string({
      description: 'The phone number to call. Required if `type` is PHONE.',
    }),
    code: t.string({ description: 'The code to copy. Required if `type` is COPY_CODE.' }),
  }),
});

/** The fields that a new version, an edit and a catalog entry share. */
export const contentInput = (t: InputFields) => ({
  category: t.field({
    type: TemplateCategoryEnum,
    description: 'The category of the message. Each channel has its own categories.',
  }),
  body: t.string({
    description:
      'The body, with {{name}} placeholders: HTML for an email, text for other channels.',
  }),
  header: t.field({
    type: TemplateHeaderInput,
    description:
      'The header above the body. In an email, this is the subject; in an SMS, the sender ID.',
  }),
  footer: t.string({ description: 'The footer below the body.' }),
  buttons: t.field({
    type: [TemplateButtonInput],
    description: 'The buttons below the body. The list replaces all existing buttons.',
  }),
  preheader: t.string({
    description: 'The preview text of an email, shown after the subject in the inbox.',
  }),
  plainText: t.string({ description: 'The plain-text alternative to an email’s HTML body.' }),
  samples: t.field({
    type: 'JSON',
    description:
      'Sample values: an object that maps variable names to strings. If a variable has no sample value, the service generates one.',
  }),
});

export const versionContentInput = (t: InputFields) => ({
  ...contentInput(t),
  dltEntityId: t.string({
    description: 'The registered entity ID of the sender. For SMS in India only.',
  }),
  dltTemplateId: t.string({
    description: 'The ID under which the text is registered as a template. For SMS in India only.',
  }),
});

export const versionInput = (t: InputFields) => ({
  ...versionContentInput(t),
  forceRollout: t.boolean({
    description:
      'Whether enrolments in flight are moved to this version once it is approved. Only owners can set this to true.',
  }),
  note: t.string({ description: 'A note for other members about what changed.' }),
});
