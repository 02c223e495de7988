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
    description: 'An operator or their data gave it to the person.',
  },
  PIN: { value: 'pin' as ResolutionReason, description: 'They were pinned to it.' },
  FORCED: { value: 'forced' as ResolutionReason, description: 'It was forced on them.' },
  RELEASED_PIN: {
    value: 'released_pin' as ResolutionReason,
    description: 'Their pin was released; it was the ACTIVE one.',
  },
  ACTIVE: {
    value: 'active' as ResolutionReason,
    description: 'They had no pin; it was the ACTIVE one.',
  },
  FALLBACK_REJECTED: {
    value: 'fallback_rejected' as ResolutionReason,
    description: 'What they were pinned to was rejected.',
  },
  PIN_UNSENDABLE: {
    value: 'pin_unsendable' as ResolutionReason,
    description: 'What they were pinned to could not be sent.',
  },
};

const SendReasonEnum = builder.enumType('SendReason', {
  description: 'Why a send used the version that it used.',
  values: REASONS,
});

const SendRef = builder.objectRef<StoredSend>('Send').implement({
  description: 'A send of a journey, and the version that it used: each once.',
  authScopes: { member: true },
  fields: t => ({
    sendId: t.exposeString('sendId', {
      nullable: false,
      description: 'Of the person’s way and the node: a repeat is the same.',
    }),
    sentAt: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When the version was chosen.',
      resolve: ({ sentAtMs }) => new Date(sentAtMs),
    }),
    reason: t.field({
      type: SendReasonEnum,
      nullable: false,
      description: 'Why this version.',
      resolve: ({ reason }) => reason,
    }),
    version: t.field({
      type: TemplateVersionRef,
      description: 'The version that was used.',
      resolve: ({ versionId }, _args, graph) => templateVersionById(graph, versionId),
    }),
    pinnedVersionId: t.id({
      description: 'The version that the person was pinned to.',
      resolve: ({ pinnedVersionId: id }) =>
        id === NOTHING_PINNED ? null : encodeNodeId('TemplateVersion', id),
    }),
    journey: t.field({
      type: JourneyRef,
      description: 'The journey.',
      resolve: ({ journeyId }, _args, graph) => journeyById(graph, journeyId),
    }),
    enrolmentId: t.id({
      nullable: false,
      description: 'The person’s way through it.',
      resolve: ({ enrolmentId }) => encodeNodeId('Enrolment', enrolmentId),
    }),
    nodeId: t.exposeString('nodeId', { nullable: false, description: 'Its send node.' }),
    contactId: t.id({
      nullable: false,
      description: 'The person.',
      resolve: ({ contactId }) => encodeNodeId('Contact', contactId),
    }),
    userId: t.string({
      description: 'The person as the application knows them.',
      resolve: ({ userId }) => given(userId),
    }),
  }),
});

const SendConnection = connectionTypeBy('Send', SendRef, sendCursor);

type GlobalId = { readonly typename: string; readonly id: string } | null | undefined;

builder.queryField('sends', t =>
  t.field({
    type: SendConnection,
    description: 'What the journeys of the viewer’s workspace sent, newest first.',
    authScopes: { member: true },
    args: {
      range: rangeArg(t.arg, LIST_DAYS_MAX),
      ...pageArgs(t.arg),
      templateId: t.arg.globalID({ description: 'Only of this template.' }),
      versionId: t.arg.globalID({ description: 'Only of this version.' }),
      journeyId: t.arg.globalID({ description: 'Only of this journey.' }),
      reasons: t.arg({ type: [SendReasonEnum], description: 'Only for one of these reasons.' }),
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
  return id.typename === type ? id.id : reject('INVALID_ID', { message: `It is no ${type}.` });
}
