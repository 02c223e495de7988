// The standing of a version: its health at the channel, the enrolments pinned to it, its findings
// and its history.

import { builder } from '../platform/graph/builder.ts';
import { describedEnum } from '../platform/graph/described-enum.ts';
import { expose, linked, memberObject } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { encodeNodeId } from '../platform/graph/node-id.ts';
import { reject } from '../platform/rejected.ts';
import type { TemplateSubmission } from './approval/submission.entity.ts';
import { TemplatePreviewRef } from './content.graph.ts';
import { diffTemplates } from './diff.ts';
import { SmsSizeRef, TemplateDiffRef, TemplateFindingRef } from './finding.graph.ts';
import { lintTemplate } from './lint/lint-template.ts';
import { worstCaseSize } from './lint/sms.ts';
import { renderTemplate } from './render.ts';
import { submissionsByIds, transitionsOfVersions } from './template.reads.ts';
import type { TemplateTransition } from './transition.entity.ts';
import { isSendableAt } from './transitions.ts';
import { samplesOf } from './variables.ts';
import type { TemplateVersion } from './version.entity.ts';
import {
  TemplateVersionRef,
  TemplateVersionStateEnum,
  templateVersionById,
} from './version.graph.ts';
import { contentOf } from './version-content.ts';

const pinsById = loaderById((context, ids) => context.deps.pinning.pinsByVersions(context, ids));
const historyById = loaderById(transitionsOfVersions);
const submissionById = loaderById(submissionsByIds);

const UpstreamHealthEnum = describedEnum(
  'TemplateUpstreamHealth',
  'The channel’s assessment of a version after its approval.',
  {
    OK: 'The channel accepts messages that use the version.',
    FLAGGED:
      'The channel accepts messages that use the version, but recipients have reported such messages.',
    PAUSED: 'The channel temporarily rejects messages that use the version.',
    DISABLED: 'The channel permanently rejects messages that use the version.',
  },
);

const DrainageEnum = describedEnum(
  'TemplateDrainage',
  'Whether enrolments in flight are still pinned to a superseded version.',
  {
    DRAINING: 'Some enrolments are pinned to the version.',
    DRAINED: 'No enrolment is pinned to the version.',
  },
);

const ChangeSourceEnum = describedEnum('TemplateChangeSource', 'The origin of a version.', {
  CREATED: 'A member wrote the version.',
  RESTORED: 'The version was copied from an earlier one.',
  CATALOG: 'The version was copied from a catalog entry.',
});

const TransitionRef = memberObject<TemplateTransition>('TemplateTransition', {
  description: 'A change in the state of a version.',
  fields: t => ({
    from: t.expose('fromState', {
      type: TemplateVersionStateEnum,
      description: 'The previous state; null for the first state change.',
    }),
    to: t.expose('toState', {
      type: TemplateVersionStateEnum,
      nullable: false,
      description: 'The new state.',
    }),
    ...expose(t, 'String!', {
      cause:
        'The cause, for example `create`, `restore`, `submit`, `cancel`, `approve`, `reject`, `activate` or `supersede`.',
      actorId: 'The ID of the user who caused the change; `approver:<channel>` for a verdict.',
    }),
    at: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When the state changed.',
    }),
  }),
});

const SubmissionStateEnum = describedEnum('TemplateSubmissionState', 'The state of a submission.', {
  PENDING: 'The approver has not decided yet.',
  APPROVED: 'The approver approved the version.',
  REJECTED: 'The approver rejected the version.',
  CANCELED: 'The submission was canceled.',
});

export const TemplateSubmissionRef = memberObject<TemplateSubmission>('TemplateSubmission', {
  description: 'A submission of a version to its channel’s approver.',
  fields: t => ({
    ...expose(t, SubmissionStateEnum, { state: 'The state of the submission.' }),
    ...expose(t, 'String', {
      reason: 'The reason that the approver gave; null if there is none.',
      upstreamId: 'The ID that the approver uses for the submission; null until it is known.',
      upstreamName: 'The name that the approver uses for the submission; null until it is known.',
    }),
    ...expose(t, 'DateTime!', { submittedAt: 'When the version was submitted.' }),
    ...expose(t, 'DateTime', {
      decidedAt:
        'When the approver decided, or when the submission was canceled; null while it is pending.',
    }),
    dueAt: t.expose('slaDueAt', {
      type: 'DateTime',
      nullable: false,
      description: 'The deadline after which an alert is raised if the approver has not decided.',
    }),
    isOverdue: t.boolean({
      nullable: false,
      description: 'Whether the submission is still pending after `dueAt`.',
      resolve: ({ state, slaDueAt }, _args, { context }) =>
        state === 'PENDING' && slaDueAt.getTime() <= context.deps.clock.nowMs(),
    }),
  }),
});

builder.objectFields(TemplateVersionRef, t => ({
  isPinnedActive: t.exposeBoolean('isPinned', {
    nullable: false,
    description:
      'Whether an owner activated this version even though a later version had already been approved. If true, this version stays ACTIVE when later versions are approved.',
  }),
  ...expose(t, UpstreamHealthEnum, {
    upstreamHealth: 'The channel’s assessment of the version after its approval.',
  }),
  ...expose(t, 'DateTime', {
    healthUntil:
      'When the version’s pause ends; null if the version is not paused, or if the end of the pause is unknown.',
  }),
  isSendable: t.boolean({
    nullable: false,
    description:
      'Whether this version is approved and the channel currently accepts messages that use it.',
    resolve: (version, _args, { context }) => isSendableAt(version, context.deps.clock.nowMs()),
  }),
  pinnedCount: t.int({
    nullable: false,
    description: 'The number of enrolments in flight that are pinned to this version.',
    resolve: async ({ id }, _args, graph) => (await pinsById(graph, id))?.pinnedCount ?? 0,
  }),
  oldestPinAt: t.field({
    type: 'DateTime',
    description:
      'When the oldest enrolment that is still pinned to this version was created; null if no enrolment is pinned to it.',
    resolve: async ({ id }, _args, graph) => (await pinsById(graph, id))?.oldestPinAt,
  }),
  pinsCheckedAt: t.field({
    type: 'DateTime',
    description: 'When the pinned enrolments were last counted; null if never.',
    resolve: async ({ id }, _args, graph) => (await pinsById(graph, id))?.checkedAt,
  }),
  drainage: t.field({
    type: DrainageEnum,
    description:
      'Whether enrolments are still pinned to this version; null unless it is SUPERSEDED.',
    resolve: async ({ id, state }, _args, graph) => {
      if (state !== 'Superseded') return null;
      return ((await pinsById(graph, id))?.pinnedCount ?? 0) > 0 ? 'DRAINING' : 'DRAINED';
    },
  }),
  submission: linked(
    t,
    'submissionId',
    TemplateSubmissionRef,
    submissionById,
    'The latest submission; null if there is none. Verdicts on earlier submissions are ignored.',
  ),
  history: t.field({
    type: [TransitionRef],
    nullable: false,
    description: 'The state changes, latest first.',
    resolve: async ({ id }, _args, graph) => [
      ...((await historyById(graph, id))?.transitions ?? []),
    ],
  }),
}));

builder.objectFields(TemplateVersionRef, t => ({
  findings: t.field({
    type: [TemplateFindingRef],
    nullable: false,
    description: 'Problems that prevent submission, and warnings.',
    resolve: version => lintTemplate({ ...contentOf(version), channel: version.channel }),
  }),
  smsSize: t.field({
    type: SmsSizeRef,
    description: 'The size of the SMS; null for other channels.',
    resolve: version => (version.channel === 'sms' ? worstCaseSize(version) : null),
  }),
  preview: t.field({
    type: TemplatePreviewRef,
    nullable: false,
    description: 'The message rendered with sample values, or with the given values.',
    args: {
      values: t.arg({
        type: 'JSON',
        description:
          'The values: an object that maps variable names to strings. If given, sample values are not used.',
      }),
    },
    resolve: (version, { values }) =>
      renderTemplate(contentOf(version), version.channel, valuesOf(version, values)),
  }),
  diff: t.field({
    type: TemplateDiffRef,
    description:
      'The differences between another version and this one; null if the other version does not exist.',
    args: { from: t.arg.globalID({ required: true, description: 'The ID of the other version.' }) },
    resolve: async (version, { from }, graph) => {
      const other =
        from.typename === 'TemplateVersion' ? await templateVersionById(graph, from.id) : null;
      return other && diffTemplates(contentOf(other), contentOf(version));
    },
  }),
}));

builder.objectFields(TemplateVersionRef, t => ({
  ...expose(t, ChangeSourceEnum, { changeSource: 'The origin of the version.' }),
  restoredFromId: t.id({
    description:
      'The ID of the version that this one was restored from; null if it was not restored.',
    resolve: ({ restoredFromId }) =>
      restoredFromId == null ? null : encodeNodeId('TemplateVersion', restoredFromId),
  }),
  basedOnId: t.id({
    description:
      'The ID of the version that the content was copied from; null for the first version of the channel and language.',
    resolve: version => {
      const id = version.basedOnId ?? version.restoredFromId;
      return id == null ? null : encodeNodeId('TemplateVersion', id);
    },
  }),
  ...expose(t, 'String', {
    rejectionReason:
      'The reason that the approver gave for the rejection; null if the version was not rejected.',
  }),
  ...expose(t, 'String!', { createdBy: 'The ID of the user who created the version.' }),
  ...expose(t, 'DateTime!', {
    createdAt: 'When the version was created.',
    updatedAt: 'When the version was last changed.',
  }),
  ...expose(t, 'DateTime', {
    submittedAt: 'When the version was last submitted; null if never.',
    approvedAt: 'When the version was approved; null if it has not been approved.',
    activatedAt: 'When the version last became ACTIVE; null if never.',
    supersededAt: 'When another version last replaced this one as ACTIVE; null if never.',
    archivedAt: 'When the version was archived; null if it has not been archived.',
  }),
}));

function valuesOf({ variables }: TemplateVersion, given: unknown): Record<string, string> {
  if (given == null) return samplesOf(variables);
  const entries = typeof given === 'object' && !Array.isArray(given) ? Object.entries(given) : null;
  if (entries === null || entries.some(([, value]) => typeof value !== 'string'))
    return reject('BAD_USER_INPUT', {
      field: ['values'],
      message: '`values` must be an object of strings.',
    });
  return Object.fromEntries(entries) as Record<string, string>;
}
