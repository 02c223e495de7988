import { builder } from '../platform/graph/builder.ts';
import type { TemplateDiff } from './diff.ts';
import type { Finding } from './lint/finding.ts';
import type { SmsSize } from './lint/sms-segments.ts';

const SeverityEnum = builder.enumType('TemplateFindingSeverity', {
  description: 'What a finding means for a submission.',
  values: {
    BLOCK: { value: 'block', description: 'The channel takes no such message: it is refused.' },
    WARN: { value: 'warn', description: 'Reviewers or readers may mind.' },
  } as const,
});

export const TemplateFindingRef = builder.objectRef<Finding>('TemplateFinding').implement({
  description: 'What is wrong with a version, or might be.',
  authScopes: { member: true },
  fields: t => ({
    code: t.exposeString('code', { nullable: false, description: 'For programs.' }),
    path: t.exposeString('path', { nullable: false, description: 'Of the field in question.' }),
    limit: t.exposeInt('limit', { description: 'What is allowed, where it is a number.' }),
    actual: t.exposeInt('actual', { description: 'What there is.' }),
    severity: t.field({
      type: SeverityEnum,
      nullable: false,
      description: 'Whether a submission is refused for it.',
      resolve: ({ severity }) => severity,
    }),
    message: t.exposeString('message', { nullable: false, description: 'In words.' }),
  }),
});

export const SmsSizeRef = builder.objectRef<SmsSize>('SmsSize').implement({
  description: 'What an SMS is sent as, with each value as long as it may be.',
  authScopes: { member: true },
  fields: t => ({
    encoding: t.string({
      nullable: false,
      description: 'GSM_7, or UCS_2 where one character needs it.',
      resolve: ({ encoding }) => encoding,
    }),
    units: t.exposeInt('units', { nullable: false, description: 'Septets, or UTF-16 units.' }),
    segments: t.exposeInt('segments', { nullable: false, description: 'How many are sent.' }),
  }),
});

const VariableChangeEnum = builder.enumType('TemplateVariableChangeKind', {
  description: 'How a variable differs between two versions.',
  values: {
    ADDED: { description: 'It is new.' },
    REMOVED: { description: 'It is not asked for any more.' },
    TYPE_CHANGED: { description: 'It is of another type.' },
    NOW_REQUIRED: { description: 'It has no default any more.' },
    NOW_OPTIONAL: { description: 'It has a default now.' },
  } as const,
});

const VariableChangeRef = builder
  .objectRef<TemplateDiff['variables'][number]>('TemplateVariableChange')
  .implement({
    description: 'A variable that differs between two versions.',
    authScopes: { member: true },
    fields: t => ({
      name: t.exposeString('name', { nullable: false, description: 'Its name.' }),
      change: t.field({
        type: VariableChangeEnum,
        nullable: false,
        description: 'How it differs.',
        resolve: ({ change }) => change,
      }),
      isBreaking: t.exposeBoolean('isBreaking', {
        nullable: false,
        description: 'Whether those who were given only the earlier variables lack something.',
      }),
    }),
  });

const FieldChangeRef = builder
  .objectRef<TemplateDiff['fields'][number]>('TemplateFieldChange')
  .implement({
    description: 'A field that differs between two versions.',
    authScopes: { member: true },
    fields: t => ({
      field: t.exposeString('field', { nullable: false, description: 'Its name.' }),
      before: t.field({ type: 'JSON', description: 'In the earlier one.', resolve: c => c.before }),
      after: t.field({ type: 'JSON', description: 'In this one.', resolve: c => c.after }),
    }),
  });

export const TemplateDiffRef = builder.objectRef<TemplateDiff>('TemplateDiff').implement({
  description: 'What changed from one version to another.',
  authScopes: { member: true },
  fields: t => ({
    fields: t.field({
      type: [FieldChangeRef],
      nullable: false,
      description: 'Fields that differ.',
      complexity: { field: 1, multiplier: 1 },
      resolve: ({ fields }) => [...fields],
    }),
    variables: t.field({
      type: [VariableChangeRef],
      nullable: false,
      description: 'Variables that differ.',
      complexity: { field: 1, multiplier: 1 },
      resolve: ({ variables }) => [...variables],
    }),
    isBreaking: t.exposeBoolean('isBreaking', {
      nullable: false,
      description: 'Whether a difference of variables breaks messages to people in flight.',
    }),
  }),
});
