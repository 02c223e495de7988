import { describedEnum, uppercaseEnum } from '../platform/graph/described-enum.ts';
import { embeddedLists } from '../platform/graph/embedded-list.ts';
import { expose, memberObject } from '../platform/graph/fields.ts';
import type { TemplateDiff } from './diff.ts';
import type { Finding } from './lint/finding.ts';
import type { SmsSize } from './lint/sms-segments.ts';

const SeverityEnum = uppercaseEnum('TemplateFindingSeverity', 'The severity of a finding.', {
  block: 'The channel does not accept this message. The version cannot be submitted.',
  warn: 'The approver or recipients may object. The version can be submitted.',
});

export const TemplateFindingRef = memberObject<Finding>('TemplateFinding', {
  description: 'A problem or possible problem in a version.',
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

export const SmsSizeRef = memberObject<SmsSize>('SmsSize', {
  description: 'The size of an SMS in which the value of each variable has the maximum length.',
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

const VariableChangeEnum = describedEnum(
  'TemplateVariableChangeKind',
  'How a variable differs between two versions.',
  {
    ADDED: 'The variable is new.',
    REMOVED: 'The variable was removed.',
    TYPE_CHANGED: 'The type of the variable changed.',
    NOW_REQUIRED: 'The variable no longer has a default value.',
    NOW_OPTIONAL: 'The variable now has a default value.',
  },
);

const VariableChangeRef = memberObject<TemplateDiff['variables'][number]>(
  'TemplateVariableChange',
  {
    description: 'A variable that differs between two versions.',
    fields: t => ({
      ...expose(t, 'String!', { name: 'The name of the variable.' }),
      ...expose(t, VariableChangeEnum, { change: 'How the variable differs.' }),
      ...expose(t, 'Boolean!', {
        isBreaking:
          'Whether a message would lack a value if it were rendered with only the variables of the earlier version.',
      }),
    }),
  },
);

const FieldChangeRef = memberObject<TemplateDiff['fields'][number]>('TemplateFieldChange', {
  description: 'A field that differs between two versions.',
  fields: t => ({
    ...expose(t, 'String!', { field: 'The name of the field.' }),
    ...expose(t, 'JSON', {
      before: 'The value in the earlier version; null if the field was not set.',
      after: 'The value in this version; null if the field is not set.',
    }),
  }),
});

export const TemplateDiffRef = memberObject<TemplateDiff>('TemplateDiff', {
  description: 'The differences between two versions.',
  fields: t => ({
    ...embeddedLists(t, FieldChangeRef, { fields: 'The fields that differ.' }),
    ...embeddedLists(t, VariableChangeRef, { variables: 'The variables that differ.' }),
    ...expose(t, 'Boolean!', {
      isBreaking:
        'Whether any change to the variables would break messages for enrolments in flight.',
    }),
  }),
});
