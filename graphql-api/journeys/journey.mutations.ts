import { changed, mutation, type PayloadFields } from '../platform/graph/mutation.ts';
import { encodeNodeId } from '../platform/graph/node-id.ts';
import { journeyEnrol } from './enrolment.actions.ts';
import {
  journeyActivate,
  journeyArchive,
  journeyCreate,
  journeyPause,
  journeyUpdate,
} from './journey.actions.ts';
import {
  idContract,
  journeyActivateContract,
  journeyCreateContract,
  journeyEnrolContract,
  journeyUpdateContract,
} from './journey.contract.ts';
import { JourneyRef, journeyById } from './journey.graph.ts';
import { JourneyNodeInput } from './node.graph.ts';

const shown = (description: string) => (t: PayloadFields<{ readonly id: string }>) => ({
  journey: changed(t, JourneyRef, journeyById, description),
});

mutation({
  name: 'journeyCreate',
  description: 'Creates a draft journey. No contact enters it until it is activated.',
  access: 'member',
  input: t => ({
    name: t.string({ required: true, description: 'The display name.' }),
    nodes: t.field({
      type: [JourneyNodeInput],
      required: true,
      description: 'The nodes: at most 50, of which at most 20 send. The first node is the entry.',
    }),
  }),
  contract: journeyCreateContract,
  codes: ['NOT_FOUND', 'JOURNEY_TOO_LARGE', 'TOO_MANY_JOURNEYS', 'VERSION_OF_ANOTHER_NODE'],
  action: journeyCreate,
  payload: shown('The new draft.'),
});

mutation({
  name: 'journeyUpdate',
  description:
    'Updates a journey for contacts who enter from now on. Enrolments in flight finish on their own definition. Members may update drafts; only owners may update an activated journey. Omitted fields are unchanged.',
  access: 'member',
  target: JourneyRef,
  input: t => ({
    version: t.int({
      required: true,
      description: 'The current `version` of the journey. Fails if the journey changed since.',
    }),
    name: t.string({ description: 'The display name.' }),
    nodes: t.field({
      type: [JourneyNodeInput],
      description: 'The nodes. The list replaces all existing nodes.',
    }),
  }),
  contract: journeyUpdateContract,
  codes: [
    'NOT_FOUND',
    'JOURNEY_CHANGED',
    'JOURNEY_STATUS',
    'JOURNEY_TOO_LARGE',
    'VERSION_OF_ANOTHER_NODE',
  ],
  action: journeyUpdate,
  payload: shown('The updated journey.'),
});

mutation({
  name: 'journeyActivate',
  description: 'Activates a journey. Contacts can enter, and enrolments in flight advance.',
  access: 'owner',
  target: JourneyRef,
  input: t => ({
    version: t.int({
      required: true,
      description: 'The `version` that was reviewed. Fails if the journey changed since.',
    }),
  }),
  contract: journeyActivateContract,
  codes: ['NOT_FOUND', 'JOURNEY_CHANGED', 'JOURNEY_STATUS', 'JOURNEY_INCOMPLETE'],
  action: journeyActivate,
  payload: shown('The active journey.'),
});

mutation({
  name: 'journeyPause',
  description:
    'Pauses a journey. No contact enters and nothing is sent until it is activated again.',
  access: 'owner',
  target: JourneyRef,
  contract: idContract,
  codes: ['NOT_FOUND', 'JOURNEY_STATUS'],
  action: journeyPause,
  payload: shown('The paused journey.'),
});

mutation({
  name: 'journeyArchive',
  description: 'Permanently ends a journey. Enrolments in flight are exited within about a minute.',
  access: 'owner',
  target: JourneyRef,
  contract: idContract,
  codes: ['NOT_FOUND'],
  action: journeyArchive,
  payload: shown('The archived journey.'),
});

mutation({
  name: 'journeyEnrol',
  description:
    'Enrols contacts in a journey, pinned to the versions that are ACTIVE now. Contacts that are already enrolled are unchanged.',
  access: 'member',
  target: JourneyRef,
  input: t => ({
    userIds: t.stringList({
      required: true,
      description: 'The application’s user IDs of existing contacts, at most 1000.',
    }),
  }),
  contract: journeyEnrolContract,
  codes: ['NOT_FOUND', 'JOURNEY_STATUS', 'JOURNEY_INCOMPLETE'],
  action: journeyEnrol,
  payload: t => ({
    enrolmentIds: t.idList({
      description: 'The IDs of the new enrolments.',
      resolve: ({ result }) => result?.enrolmentIds.map(id => encodeNodeId('Enrolment', id)),
    }),
    alreadyInside: t.stringList({
      description: 'The user IDs of contacts that were already enrolled.',
      resolve: ({ result }) => result && [...result.alreadyInside],
    }),
    unknownUserIds: t.stringList({
      description: 'The user IDs that match no contact.',
      resolve: ({ result }) => result && [...result.unknownUserIds],
    }),
  }),
});
