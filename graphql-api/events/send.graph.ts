import { JourneyRef, journeyById } from '../journeys/journey.graph.ts';
import { uppercaseEnum } from '../platform/graph/described-enum.ts';
import { expose, globalId, linked, memberObject } from '../platform/graph/fields.ts';
import { encodeNodeId } from '../platform/graph/node-id.ts';
import { listQuery, texts, times } from '../platform/graph/report.ts';
import { reject } from '../platform/rejected.ts';
import type { ResolutionReason } from '../templates/resolve-version.ts';
import { TemplateVersionRef, templateVersionById } from '../templates/version.graph.ts';
import { latestSends, type StoredSend, sendCursor } from './send.reads.ts';

const NOTHING_PINNED = '00000000-0000-0000-0000-000000000000';

export const SendReasonEnum = uppercaseEnum<ResolutionReason>(
  'SendReason',
  'Why a version was chosen for a send.',
  {
    override:
      'An owner set this version for the person, or the service set it because the person’s data lacks a value that the pinned version needs.',
    pin: 'The person was pinned to the version.',
    forced: 'A forced rollout replaced the pinned version with this version.',
    released_pin: 'The person’s pin was released, so the `ACTIVE` version was used.',
    active: 'The person had no pin, so the `ACTIVE` version was used.',
    fallback_rejected: 'The pinned version was rejected, so another version was used.',
    pin_unsendable: 'The pinned version could not be sent, so another version was used.',
  },
);

const SendRef = memberObject<StoredSend>('Send', {
  description: 'A message sent by a journey, and the template version that it used.',
  fields: t => ({
    ...expose(t, 'String!', {
      sendId:
        'The ID of the send, derived from the enrolment and the node. A retry of the send has the same ID.',
      nodeId: 'The ID of the send node in the journey.',
    }),
    ...times(t, { sentAt: 'When the version for the send was chosen.' }),
    ...expose(t, SendReasonEnum, { reason: 'Why this version was chosen for the send.' }),
    ...texts(t, { userId: 'The application’s user ID for the contact; null if unknown.' }),
    version: linked(
      t,
      'versionId',
      TemplateVersionRef,
      templateVersionById,
      'The version that was chosen for the send.',
    ),
    pinnedVersionId: t.id({
      description:
        'The ID of the version that the person was pinned to; null if the person had no pin.',
      resolve: ({ pinnedVersionId: id }) =>
        id === NOTHING_PINNED ? null : encodeNodeId('TemplateVersion', id),
    }),
    journey: linked(t, 'journeyId', JourneyRef, journeyById, 'The journey that sent the message.'),
    enrolmentId: globalId(
      t,
      'enrolmentId',
      'Enrolment',
      'The ID of the person’s enrolment in the journey.',
    ),
    contactId: globalId(
      t,
      'contactId',
      'Contact',
      'The ID of the contact who received the message.',
    ),
  }),
});

type GlobalId = { readonly typename: string; readonly id: string } | null | undefined;

listQuery('sends', {
  type: SendRef,
  description: 'The messages sent by journeys in the viewer’s workspace, newest first.',
  cursorOf: sendCursor,
  args: arg => ({
    templateId: arg.globalID({ description: 'Filters by template.' }),
    versionId: arg.globalID({ description: 'Filters by template version.' }),
    journeyId: arg.globalID({ description: 'Filters by journey.' }),
    reasons: arg({
      type: [SendReasonEnum],
      description: 'Filters by the reason why the version was chosen.',
    }),
  }),
  questions: 1,
  page: (context, { templateId, versionId, journeyId, ...input }) =>
    latestSends(context, {
      ...input,
      templateId: idOf('Template', templateId),
      versionId: idOf('TemplateVersion', versionId),
      journeyId: idOf('Journey', journeyId),
    }),
});

function idOf(type: string, id: GlobalId): string | undefined {
  if (id == null) return undefined;
  return id.typename === type
    ? id.id
    : reject('INVALID_ID', { message: `This is not the ID of a ${type}.` });
}
