// How a version stands: what its channel and the people pinned to it make of it, what is found in it,
// and how it came to be.

import { builder } from '../platform/graph/builder.ts';
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

const UpstreamHealthEnum = builder.enumType('TemplateUpstreamHealth', {
  description: 'What a channel says of what it approved.',
  values: {
    OK: { description: 'It takes it.' },
    FLAGGED: { description: 'It takes it, and readers complain.' },
    PAUSED: { description: 'It takes none for a while.' },
    DISABLED: { description: 'It takes none any more.' },
  } as const,
});

const DrainageEnum = builder.enumType('TemplateDrainage', {
  description: 'Whether people in flight still get a version that new ones do not.',
  values: {
    DRAINING: { description: 'Some are pinned to it.' },
    DRAINED: { description: 'Nobody is pinned to it any more.' },
  } as const,
});

const ChangeSourceEnum = builder.enumType('TemplateChangeSource', {
  description: 'How a version came to be.',
  values: {
    CREATED: { description: 'Somebody wrote it.' },
    RESTORED: { description: 'It is a copy of an earlier one.' },
    CATALOG: { description: 'It came with a catalog entry.' },
  } as const,
});

const TransitionRef = builder.objectRef<TemplateTransition>('TemplateTransition').implement({
  description: 'A state that a version came to.',
  authScopes: { member: true },
  fields: t => ({
    from: t.field({
      type: TemplateVersionStateEnum,
      description: 'Where it was; null at its beginning.',
      resolve: ({ fromState }) => fromState,
    }),
    to: t.field({
      type: TemplateVersionStateEnum,
      nullable: false,
      description: 'Where it came to.',
      resolve: ({ toState }) => toState,
    }),
    cause: t.exposeString('cause', {
      nullable: false,
      description: 'create, restore, submit, cancel, approve, reject, activate, supersede …',
    }),
    actorId: t.exposeString('actorId', { nullable: false, description: 'Who or what did it.' }),
    at: t.expose('createdAt', { type: 'DateTime', nullable: false, description: 'When.' }),
  }),
});

const SubmissionStateEnum = builder.enumType('TemplateSubmissionState', {
  description: 'What became of a submission.',
  values: {
    PENDING: { description: 'There is no verdict yet.' },
    APPROVED: { description: 'The approver agreed.' },
    REJECTED: { description: 'The approver did not.' },
    CANCELED: { description: 'It was taken back.' },
  } as const,
});

export const TemplateSubmissionRef = builder
  .objectRef<TemplateSubmission>('TemplateSubmission')
  .implement({
    description: 'One time that a version was sent to its channel’s approver.',
    authScopes: { member: true },
    fields: t => ({
      state: t.field({
        type: SubmissionStateEnum,
        nullable: false,
        description: 'What became of it.',
        resolve: ({ state }) => state,
      }),
      reason: t.exposeString('reason', { description: 'What the approver said.' }),
      upstreamId: t.exposeString('upstreamId', { description: 'The approver’s id of it.' }),
      upstreamName: t.exposeString('upstreamName', { description: 'The approver’s name of it.' }),
      submittedAt: t.expose('submittedAt', {
        type: 'DateTime',
        nullable: false,
        description: 'When it was sent.',
      }),
      decidedAt: t.expose('decidedAt', { type: 'DateTime', description: 'When that was over.' }),
      dueAt: t.expose('slaDueAt', {
        type: 'DateTime',
        nullable: false,
        description: 'From when an operator is told that there is no verdict.',
      }),
      isOverdue: t.boolean({
        nullable: false,
        description: 'Whether it has waited for longer than that.',
        resolve: ({ state, slaDueAt }, _args, { context }) =>
          state === 'PENDING' && slaDueAt.getTime() <= context.deps.clock.nowMs(),
      }),
    }),
  });

builder.objectFields(TemplateVersionRef, t => ({
  isPinnedActive: t.exposeBoolean('isPinned', {
    nullable: false,
    description: 'Whether an operator made it ACTIVE although a newer one was approved.',
  }),
  upstreamHealth: t.field({
    type: UpstreamHealthEnum,
    nullable: false,
    description: 'What its channel says of it since the approval.',
    resolve: ({ upstreamHealth }) => upstreamHealth,
  }),
  healthUntil: t.expose('healthUntil', { type: 'DateTime', description: 'When a pause ends.' }),
  isSendable: t.boolean({
    nullable: false,
    description: 'Whether its channel would take it now.',
    resolve: (version, _args, { context }) =>
      isSendableAt(standing(version), context.deps.clock.nowMs()),
  }),
  pinnedCount: t.int({
    nullable: false,
    description: 'How many people in flight are pinned to it.',
    resolve: async ({ id }, _args, graph) => (await pinsById(graph, id))?.pinnedCount ?? 0,
  }),
  oldestPinAt: t.field({
    type: 'DateTime',
    description: 'When the first of them was pinned.',
    resolve: async ({ id }, _args, graph) => (await pinsById(graph, id))?.oldestPinAt,
  }),
  pinsCheckedAt: t.field({
    type: 'DateTime',
    description: 'When they were counted.',
    resolve: async ({ id }, _args, graph) => (await pinsById(graph, id))?.checkedAt,
  }),
  drainage: t.field({
    type: DrainageEnum,
    description: 'Of a SUPERSEDED one; null in other states.',
    resolve: async ({ id, state }, _args, graph) => {
      if (state !== 'Superseded') return null;
      return ((await pinsById(graph, id))?.pinnedCount ?? 0) > 0 ? 'DRAINING' : 'DRAINED';
    },
  }),
  submission: t.field({
    type: TemplateSubmissionRef,
    description: 'The last one: only its verdict counts.',
    resolve: ({ submissionId }, _args, graph) =>
      submissionId == null ? null : submissionById(graph, submissionId),
  }),
  history: t.field({
    type: [TransitionRef],
    nullable: false,
    description: 'Its states, the last first.',
    resolve: async ({ id }, _args, graph) => [
      ...((await historyById(graph, id))?.transitions ?? []),
    ],
  }),
}));

builder.objectFields(TemplateVersionRef, t => ({
  findings: t.field({
    type: [TemplateFindingRef],
    nullable: false,
    description: 'What a submission would be refused for, and what reviewers may mind.',
    resolve: version => lintTemplate({ ...contentOf(version), channel: version.channel }),
  }),
  smsSize: t.field({
    type: SmsSizeRef,
    description: 'Of an SMS: how many messages it is; null in other channels.',
    resolve: version => (version.channel === 'sms' ? worstCaseSize(version) : null),
  }),
  preview: t.field({
    type: TemplatePreviewRef,
    nullable: false,
    description: 'A message with its samples, or with the values that are given.',
    args: {
      values: t.arg({ type: 'JSON', description: 'By name; then no sample is used.' }),
    },
    resolve: (version, { values }) =>
      renderTemplate(contentOf(version), version.channel, valuesOf(version, values)),
  }),
  diff: t.field({
    type: TemplateDiffRef,
    description: 'What changed from another version to this one; null where that one is not there.',
    args: { from: t.arg.globalID({ required: true, description: 'The other version.' }) },
    resolve: async (version, { from }, graph) => {
      const other =
        from.typename === 'TemplateVersion' ? await templateVersionById(graph, from.id) : null;
      return other && diffTemplates(contentOf(other), contentOf(version));
    },
  }),
}));

builder.objectFields(TemplateVersionRef, t => ({
  changeSource: t.field({
    type: ChangeSourceEnum,
    nullable: false,
    description: 'How it came to be.',
    resolve: ({ changeSource }) => changeSource,
  }),
  restoredFromId: t.id({
    description: 'The version that it is a copy of.',
    resolve: ({ restoredFromId }) =>
      restoredFromId == null ? null : encodeNodeId('TemplateVersion', restoredFromId),
  }),
  basedOnId: t.id({
    description:
      'The version whose content it began with; null for the first of its channel and language.',
    resolve: version => {
      const id = version.basedOnId ?? version.restoredFromId;
      return id == null ? null : encodeNodeId('TemplateVersion', id);
    },
  }),
  rejectionReason: t.exposeString('rejectionReason', { description: 'What the approver said.' }),
  createdBy: t.exposeString('createdBy', { nullable: false, description: 'Who made it.' }),
  createdAt: t.expose('createdAt', {
    type: 'DateTime',
    nullable: false,
    description: 'When it was made.',
  }),
  updatedAt: t.expose('updatedAt', {
    type: 'DateTime',
    nullable: false,
    description: 'When it was changed last.',
  }),
  submittedAt: t.expose('submittedAt', { type: 'DateTime', description: 'When, the last time.' }),
  approvedAt: t.expose('approvedAt', { type: 'DateTime', description: 'When it was approved.' }),
  activatedAt: t.expose('activatedAt', {
    type: 'DateTime',
    description: 'When it became ACTIVE, the last time.',
  }),
  supersededAt: t.expose('supersededAt', {
    type: 'DateTime',
    description: 'When another one became ACTIVE, the last time.',
  }),
  archivedAt: t.expose('archivedAt', { type: 'DateTime', description: 'When it was archived.' }),
}));

function standing({ state, upstreamHealth, healthUntil }: TemplateVersion) {
  return { state, upstreamHealth, healthUntil };
}

function valuesOf({ variables }: TemplateVersion, given: unknown): Record<string, string> {
  if (given == null) return samplesOf(variables);
  const entries = typeof given === 'object' && !Array.isArray(given) ? Object.entries(given) : null;
  if (entries === null || entries.some(([, value]) => typeof value !== 'string'))
    return reject('BAD_USER_INPUT', {
      field: ['values'],
      message: 'values: must be an object of strings.',
    });
  return Object.fromEntries(entries) as Record<string, string>;
}
