import { JourneyRef, journeyById } from '../journeys/journey.graph.ts';
import { builder } from '../platform/graph/builder.ts';
import { connectionOfPage, connectionTypeBy, pageArgs } from '../platform/graph/connection.ts';
import { encodeNodeId } from '../platform/graph/node-id.ts';
import { given, rangeArg, reportPageCost } from '../platform/graph/report-args.ts';
import { reject } from '../platform/rejected.ts';
import { LIST_DAYS_MAX } from '../platform/warehouse/report-range.ts';
import type { ResolutionReason } from '../templates/resolve-version.ts';
import { TemplateVersionRef, templateVersionById } from '../templates/version.graph.ts';
import { latestSends, type StoredSend, sendCursor } from './send.reads.ts';

const NOTHING_PINNED = '00000000-0000-0000-0000-000000000000';

const REASONS = {
  OVERRIDE: {
    value: 'override' as ResolutionReason,
    description:
      'The version was assigned to the person, by an operator or because of the person’s data.',
  },
  PIN: { value: 'pin' as ResolutionReason, description: 'The person was pinned to the version.' },
  FORCED: {
    value: 'forced' as ResolutionReason,
    description: 'The version was forced on people in flight.',
  },
  RELEASED_PIN: {
    value: 'released_pin' as ResolutionReason,
    description: 'The person’s pin was released, so the `ACTIVE` version was used.',
  },
  ACTIVE: {
    value: 'active' as ResolutionReason,
    description: 'The person had no pin, so the `ACTIVE` version was used.',
  },
  FALLBACK_REJECTED: {
    value: 'fallback_rejected' as ResolutionReason,
    description: 'The pinned version was rejected, so another version was used.',
  },
  PIN_UNSENDABLE: {
    value: 'pin_unsendable' as ResolutionReason,
    description: 'The pinned version could not be sent, so another version was used.',
  },
};

const SendReasonEnum = builder.enumType('SendReason', {
  description: 'Why a send used its version.',
  values: REASONS,
});

const SendRef = builder.objectRef<StoredSend>('Send').implement({
  description: 'A message sent by a journey, and the template version that it used.',
  authScopes: { member: true },
  fields: t => ({
    sendId: t.exposeString('sendId', {
      nullable: false,
      description:
        'The ID of the send, derived from the enrolment and the node. A retry has the same ID.',
    }),
    sentAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When the version was resolved.',
      resolve: ({ sentAtMs }) => new Date(sentAtMs),
    }),
    reason: t.field({
      type: SendReasonEnum,
      nullable: false,
      description: 'Why the send used this version.',
      resolve: ({ reason }) => reason,
    }),
    version: t.field({
      type: TemplateVersionRef,
      description: 'The version that the send used.',
      resolve: ({ versionId }, _args, graph) => templateVersionById(graph, versionId),
    }),
    pinnedVersionId: t.id({
      description: 'The version that the person was pinned to; null if none.',
      resolve: ({ pinnedVersionId: id }) =>
        id === NOTHING_PINNED ? null : encodeNodeId('TemplateVersion', id),
    }),
    journey: t.field({
      type: JourneyRef,
      description: 'The journey that sent the message.',
      resolve: ({ journeyId }, _args, graph) => journeyById(graph, journeyId),
    }),
    enrolmentId: t.id({
      nullable: false,
      description: 'The enrolment of the person in the journey.',
      resolve: ({ enrolmentId }) => encodeNodeId('Enrolment', enrolmentId),
    }),
    nodeId: t.exposeString('nodeId', {
      nullable: false,
      description: 'The send node of the journey.',
    }),
    contactId: t.id({
      nullable: false,
      description: 'The contact who received the message.',
      resolve: ({ contactId }) => encodeNodeId('Contact', contactId),
    }),
    userId: t.string({
      description: 'The application’s user ID of the contact; null if unknown.',
      resolve: ({ userId }) => given(userId),
    }),
  }),
});

const SendConnection = connectionTypeBy('Send', SendRef, sendCursor);

type GlobalId = { readonly typename: string; readonly id: string } | null | undefined;

builder.queryField('sends', t =>
  t.field({
    type: SendConnection,
    description: 'The messages sent by journeys of the viewer’s workspace, newest first.',
    authScopes: { member: true },
    args: {
      range: rangeArg(t.arg, LIST_DAYS_MAX),
      ...pageArgs(t.arg),
      templateId: t.arg.globalID({ description: 'Filters by template.' }),
      versionId: t.arg.globalID({ description: 'Filters by template version.' }),
      journeyId: t.arg.globalID({ description: 'Filters by journey.' }),
      reasons: t.arg({ type: [SendReasonEnum], description: 'Filters by reason.' }),
    },
    complexity: reportPageCost(1),
    resolve: async (_root, { range, first, after, reasons, ...ids }, { context }) => {
      const filter = {
        templateId: idOf('Template', ids.templateId),
        versionId: idOf('TemplateVersion', ids.versionId),
        journeyId: idOf('Journey', ids.journeyId),
        reasons,
      };
      const page = await latestSends(context, { range, first, after, filter });
      return connectionOfPage(page, { first, after });
    },
  }),
);

function idOf(type: string, id: GlobalId): string | undefined {
  if (id == null) return undefined;
  return id.typename === type
    ? id.id
    : reject('INVALID_ID', { message: `The ID is not the ID of a ${type}.` });
}
