import { builder } from '../platform/graph/builder.ts';
import { embeddedLists } from '../platform/graph/embedded-list.ts';
import { expose } from '../platform/graph/fields.ts';
import type { TemplateDiff } from './diff.ts';
import type { Finding } from './lint/finding.ts';
import type { SmsSize } from './lint/sms-segments.ts';

const SeverityEnum = builder.enumType('TemplateFindingSeverity', {
  description: 'The severity of a finding.',
  values: {
    BLOCK: {
      value: 'block',
      description: 'The channel does not accept this message. The version cannot be submitted.',
    },
    WARN: {
      value: 'warn',
      description: 'The approver or recipients may object. The version can be submitted.',
    },
  } as const,
});

export const TemplateFindingRef = builder.objectRef<Finding>('TemplateFinding').implement({
  description: 'A problem or possible problem in a version.',
  authScopes: { member: true },
  fields: t => ({
    ...expose(t, 'String!', {
      code: 'A stable, machine-readable code.',
      path: 'The path of the affected field.',
      message: 'A human-readable message.',
    }),
    ...expose(t, 'Int', {
      limit: 'The numeric limit that the finding is about; null if there is none.',
      actual: 'The actual value, to be compared with `limit`; null if there is no limit.',
    }),
    ...expose(t, SeverityEnum, { severity: 'Whether the finding prevents submission.' }),
  }),
});

export const SmsSizeRef = builder.objectRef<SmsSize>('SmsSize').implement({
  description: 'The size of an SMS in which the value of each variable has the maximum length.',
  authScopes: { member: true },
  fields: t => ({
    ...expose(t, 'String!', {
      encoding: 'The encoding: GSM_7, or UCS_2 if any character requires it.',
    }),
    ...expose(t, 'Int!', {
      units: 'The length, in septets for GSM_7 and in UTF-16 code units for UCS_2.',
      segments: 'The number of segments in which the SMS is sent.',
    }),
  }),
});

const VariableChangeEnum = builder.enumType('TemplateVariableChangeKind', {
  description: 'How a variable differs between two versions.',
  values: {
    ADDED: { description: 'The variable is new.' },
    REMOVED: { description: 'The variable was removed.' },
    TYPE_CHANGED: { description: 'The type of the variable changed.' },
    NOW_REQUIRED: { description: 'The variable no longer has a default value.' },
    NOW_OPTIONAL: { description: 'The variable now has a default value.' },
  } as const,
});

const VariableChangeRef = builder
  .objectRef<TemplateDiff['variables'][number]>('TemplateVariableChange')
  .implement({
    description: 'A variable that differs between two versions.',
    authScopes: { member: true },
    fields: t => ({
      ...expose(t, 'String!', { name: 'The name of the variable.' }),
      ...expose(t, VariableChangeEnum, { change: 'How the variable differs.' }),
      ...expose(t, 'Boolean!', {
        isBreaking:
          'Whether a message would lack a value if it were rendered with only the variables of the earlier version.',
      }),
    }),
  });

const FieldChangeRef = builder
  .objectRef<TemplateDiff['fields'][number]>('TemplateFieldChange')
  .implement({
    description: 'A field that differs between two versions.',
    authScopes: { member: true },
    fields: t => ({
      ...expose(t, 'String!', { field: 'The name of the field.' }),
      ...expose(t, 'JSON', {
        before: 'The value in the earlier version; null if the field was not set.',
        after: 'The value in this version; null if the field is not set.',
      }),
    }),
  });

export const TemplateDiffRef = builder.objectRef<TemplateDiff>('TemplateDiff').implement({
  description: 'The differences between two versions.',
  authScopes: { member: true },
  fields: t => ({
    ...embeddedLists(t, FieldChangeRef, { fields: 'The fields that differ.' }),
    ...embeddedLists(t, VariableChangeRef, { variables: 'The variables that differ.' }),
    ...expose(t, 'Boolean!', {
      isBreaking:
        'Whether any change to the variables would break messages for enrolments in flight.',
    }),
  }),
});
