import { mutation, type PayloadFields } from '../platform/graph/mutation.ts';
import { encodeNodeId } from '../platform/graph/node-id.ts';
import { journeyEnrol } from './enrolment.enrol.ts';
import { journeyActivate, journeyArchive, journeyPause } from './journey.change-status.ts';
import {
  journeyActivateContract,
  journeyCreateContract,
  journeyEnrolContract,
  journeyIdContract,
  journeyUpdateContract,
} from './journey.contract.ts';
import { journeyCreate } from './journey.create.ts';
import { JourneyRef, journeyById } from './journey.graph.ts';
import { journeyUpdate } from './journey.update.ts';
import { JourneyNodeInput } from './node.graph.ts';

const shown = (description: string) => (t: PayloadFields<{ readonly id: string }>) => ({
  journey: t.field({
    type: JourneyRef,
    description,
    resolve: ({ result }, _args, graph) => result && journeyById(graph, result.id),
  }),
});

mutation({
  name: 'journeyCreate',
  description: 'Makes a draft; nobody enters it before it is activated.',
  access: 'member',
  input: t => ({
    name: t.string({ required: true, description: 'What people call it.' }),
    nodes: t.field({
      type: [JourneyNodeInput],
      required: true,
      description: 'At most 50, of which 20 send; the first one is where people enter.',
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
    'Changes a journey for those who enter from now on; who is inside finishes on what they entered with. Members change drafts, owners also what was activated.',
  access: 'member',
  target: JourneyRef,
  input: t => ({
    version: t.int({ required: true, description: 'The version that is changed.' }),
    name: t.string({ description: 'What people call it.' }),
    nodes: t.field({ type: [JourneyNodeInput], description: 'All of them, as a whole.' }),
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
  payload: shown('The journey as it is now.'),
});

mutation({
  name: 'journeyActivate',
  description: 'Lets people enter, and those who are inside go on.',
  access: 'owner',
  target: JourneyRef,
  input: t => ({
    version: t.int({ required: true, description: 'The version that was looked at.' }),
  }),
  contract: journeyActivateContract,
  codes: ['NOT_FOUND', 'JOURNEY_CHANGED', 'JOURNEY_STATUS', 'JOURNEY_INCOMPLETE'],
  action: journeyActivate,
  payload: shown('The active journey.'),
});

mutation({
  name: 'journeyPause',
  description: 'Nobody enters, and nothing is sent, until it is activated again.',
  access: 'owner',
  target: JourneyRef,
  contract: journeyIdContract,
  codes: ['NOT_FOUND', 'JOURNEY_STATUS'],
  action: journeyPause,
  payload: shown('The paused journey.'),
});

mutation({
  name: 'journeyArchive',
  description: 'Ends a journey for ever; those who are inside leave within a minute or so.',
  access: 'owner',
  target: JourneyRef,
  contract: journeyIdContract,
  codes: ['NOT_FOUND'],
  action: journeyArchive,
  payload: shown('The archived journey.'),
});

mutation({
  name: 'journeyEnrol',
  description:
    'Lets people into a journey, each pinned to the versions that are ACTIVE at this moment. Whoever is inside already stays where they are.',
  access: 'member',
  target: JourneyRef,
  input: t => ({
    userIds: t.stringList({
      required: true,
      description: 'At most 1000, as the application knows them; each must be a contact.',
    }),
  }),
  contract: journeyEnrolContract,
  codes: ['NOT_FOUND', 'JOURNEY_STATUS', 'JOURNEY_INCOMPLETE'],
  action: journeyEnrol,
  payload: t => ({
    enrolmentIds: t.idList({
      description: 'Of those who entered now.',
      resolve: ({ result }) => result?.enrolmentIds.map(id => encodeNodeId('Enrolment', id)),
    }),
    alreadyInside: t.stringList({
      description: 'The user ids of those who were inside.',
      resolve: ({ result }) => result && [...result.alreadyInside],
    }),
    unknownUserIds: t.stringList({
      description: 'What no contact has as its user id.',
      resolve: ({ result }) => result && [...result.unknownUserIds],
    }),
  }),
});
