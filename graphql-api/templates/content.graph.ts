// What a version says, as GraphQL shows it and takes it.

import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import type { TemplateButton, TemplateChannel, TemplateHeader } from './content.ts';
import type { Rendered } from './render.ts';
import type { TemplateVariable } from './variables.ts';

export const TemplateChannelEnum = builder.enumType('TemplateChannel', {
  description: 'Where a message is sent.',
  values: {
    MESSAGING_APP: { value: 'messaging_app', description: 'The messaging app.' },
    SMS: { value: 'sms', description: 'Text messages, from a registered sender.' },
    EMAIL: { value: 'email', description: 'Email, in HTML.' },
  } satisfies Record<string, { value: TemplateChannel; description: string }>,
});

export const TemplateCategoryEnum = builder.enumType('TemplateCategory', {
  description: 'What a message is for, in its channel’s words.',
  values: {
    MARKETING: { value: 'marketing', description: 'To sell.' },
    UTILITY: { value: 'utility', description: 'About something that the person did.' },
    AUTHENTICATION: { value: 'authentication', description: 'A code to sign in.' },
    PROMOTIONAL: { value: 'promotional', description: 'To sell, as registered for SMS.' },
    TRANSACTIONAL: { value: 'transactional', description: 'About a transaction.' },
    SERVICE_IMPLICIT: { value: 'service_implicit', description: 'About what a customer has.' },
    SERVICE_EXPLICIT: { value: 'service_explicit', description: 'What a customer agreed to get.' },
  } as const,
});

const HeaderTypeEnum = builder.enumType('TemplateHeaderType', {
  description: 'What stands above the text.',
  values: {
    TEXT: { value: 'text', description: 'A line: of an email its subject, of an SMS its sender.' },
    IMAGE: { value: 'image', description: 'A picture.' },
    VIDEO: { value: 'video', description: 'A film.' },
    DOCUMENT: { value: 'document', description: 'A file to open.' },
  } as const,
});

const ButtonTypeEnum = builder.enumType('TemplateButtonType', {
  description: 'What a button does.',
  values: {
    URL: { value: 'url', description: 'Opens an address.' },
    PHONE: { value: 'phone', description: 'Calls a number.' },
    QUICK_REPLY: { value: 'quick_reply', description: 'Answers with its text.' },
    COPY_CODE: { value: 'copy_code', description: 'Copies a code.' },
    OTP: { value: 'otp', description: 'Copies the code to sign in.' },
  } as const,
});

const VariableTypeEnum = builder.enumType('TemplateVariableType', {
  description: 'What a value is; all but TEXT come from the tags of registered texts.',
  values: {
    TEXT: { value: 'text', description: 'Anything.' },
    NUMBER: { value: 'number', description: 'Digits.' },
    ALPHANUMERIC: { value: 'alphanumeric', description: 'Letters and digits.' },
    URL: { value: 'url', description: 'An address.' },
    PHONE: { value: 'phone', description: 'A number to call.' },
    EMAIL: { value: 'email', description: 'An address for email.' },
  } as const,
});

export const TemplateHeaderRef = builder.objectRef<TemplateHeader>('TemplateHeader').implement({
  description: 'What stands above the text.',
  authScopes: { member: true },
  fields: t => ({
    type: t.field({
      type: HeaderTypeEnum,
      nullable: false,
      description: 'What it is.',
      resolve: ({ type }) => type,
    }),
    text: t.string({
      description: 'Of TEXT.',
      resolve: header => (header.type === 'text' ? header.text : null),
    }),
    url: t.string({
      description: 'Of the others.',
      resolve: header => (header.type === 'text' ? null : header.url),
    }),
  }),
});

export const TemplateButtonRef = builder.objectRef<TemplateButton>('TemplateButton').implement({
  description: 'A button below the text.',
  authScopes: { member: true },
  fields: t => ({
    type: t.field({
      type: ButtonTypeEnum,
      nullable: false,
      description: 'What it does.',
      resolve: ({ type }) => type,
    }),
    text: t.exposeString('text', { nullable: false, description: 'What it says.' }),
    url: t.exposeString('url', { description: 'Of URL.' }),
    phoneNumber: t.exposeString('phoneNumber', { description: 'Of PHONE.' }),
    code: t.exposeString('code', { description: 'Of COPY_CODE.' }),
  }),
});

export const TemplateVariableRef = builder
  .objectRef<TemplateVariable>('TemplateVariable')
  .implement({
    description: 'What a message asks for, by its placeholders.',
    authScopes: { member: true },
    fields: t => ({
      name: t.exposeString('name', {
        nullable: false,
        description: 'As in {{name}}; of {#var#} its position: var1.',
      }),
      type: t.field({
        type: VariableTypeEnum,
        nullable: false,
        description: 'What it is.',
        resolve: ({ type }) => type,
      }),
      isRequired: t.exposeBoolean('isRequired', {
        nullable: false,
        description: 'Whether each person needs a value; else the default stands in its place.',
      }),
      fallback: t.exposeString('fallback', { description: 'The default, where it has one.' }),
      sample: t.exposeString('sample', {
        nullable: false,
        description: 'What reviewers and previews are shown.',
      }),
    }),
  });

export const TemplatePreviewRef = builder.objectRef<Rendered>('TemplatePreview').implement({
  description: 'A message as a person would get it.',
  authScopes: { member: true },
  fields: t => ({
    header: t.field({
      type: TemplateHeaderRef,
      description: 'What stands above the text.',
      resolve: ({ header }) => header,
    }),
    body: t.exposeString('body', { nullable: false, description: 'The text.' }),
    footer: t.exposeString('footer', { description: 'What stands below the text.' }),
    buttons: t.field({
      type: [TemplateButtonRef],
      nullable: false,
      description: 'The buttons.',
      complexity: { field: 1, multiplier: 1 },
      resolve: ({ buttons }) => [...buttons],
    }),
    preheader: t.string({
      description: 'Of an email.',
      resolve: ({ extras }) => extras.preheader ?? null,
    }),
    plainText: t.string({
      description: 'Of an email.',
      resolve: ({ extras }) => extras.plainText ?? null,
    }),
    missing: t.exposeStringList('missing', {
      nullable: false,
      description: 'The names that have no value: such a message is not sent.',
    }),
  }),
});

const TemplateHeaderInput = builder.inputType('TemplateHeaderInput', {
  description: 'What stands above the text.',
  fields: t => ({
    type: t.field({ type: HeaderTypeEnum, required: true, description: 'What it is.' }),
    text: t.string({ description: 'Of TEXT.' }),
    url: t.string({ description: 'Of the others: https.' }),
  }),
});

const TemplateButtonInput = builder.inputType('TemplateButtonInput', {
  description: 'A button below the text.',
  fields: t => ({
    type: t.field({ type: ButtonTypeEnum, required: true, description: 'What it does.' }),
    text: t.string({ required: true, description: 'What it says.' }),
    url: t.string({ description: 'Of URL; a value may stand at its end.' }),
    phoneNumber: t.string({ description: 'Of PHONE.' }),
    code: t.string({ description: 'Of COPY_CODE.' }),
  }),
});

type InputFields = PothosSchemaTypes.InputFieldBuilder<SchemaTypes, 'InputObject'>;

/** The same in a new version, an edit and a catalog entry. */
export const contentInput = (t: InputFields) => ({
  category: t.field({ type: TemplateCategoryEnum, description: 'What it is for.' }),
  body: t.string({
    description: 'The text, with {{name}} where a value goes. Of an email its HTML.',
  }),
  header: t.field({
    type: TemplateHeaderInput,
    description: 'What stands above the text; of an email its subject, of an SMS its sender.',
  }),
  footer: t.string({ description: 'What stands below the text.' }),
  buttons: t.field({ type: [TemplateButtonInput], description: 'The buttons, as a whole.' }),
  preheader: t.string({ description: 'Of an email: what lists show after the subject.' }),
  plainText: t.string({ description: 'Of an email: for those who read no HTML.' }),
  samples: t.field({
    type: 'JSON',
    description: 'Values to show reviewers, by name; made up where none is given.',
  }),
});

export const versionContentInput = (t: InputFields) => ({
  ...contentInput(t),
  dltEntityId: t.string({ description: 'Of an SMS in India: who sends, as registered.' }),
  dltTemplateId: t.string({ description: 'Of an SMS in India: the text, as registered.' }),
});

export const versionInput = (t: InputFields) => ({
  ...versionContentInput(t),
  forceRollout: t.boolean({
    description: 'Once approved, people in flight are moved to it. Owners only.',
  }),
  note: t.string({ description: 'What changed, for colleagues.' }),
});
