import type { ObjectRef } from '@pothos/core';
import type { SchemaTypes } from '../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { describedEnum } from '../platform/graph/described-enum.ts';
import { expose, linked, memberNode, nodeQuery } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { changedObject, mutation } from '../platform/graph/mutation.ts';
import { encodeNodeId } from '../platform/graph/node-id.ts';
import { SegmentRef, segmentById } from '../segments/segment.graph.ts';
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
import type { Journey } from './journey.entity.ts';
import { journeys, standingOfJourneys } from './journey.reads.ts';
import { JourneyNodeInput, JourneyNodeRef } from './node.graph.ts';

export const journeyById = loaderById(journeys.byIds);
const standingById = loaderById(standingOfJourneys);

const JourneyStatusRef = describedEnum('JourneyStatus', 'The status of a journey.', {
  DRAFT: 'The journey has not been activated yet. Members can edit it.',
  ACTIVE: 'Contacts can enter the journey, and enrolments advance.',
  PAUSED: 'Contacts cannot enter the journey, and enrolments do not advance.',
  ARCHIVED: 'The journey has ended permanently. Remaining enrolments are moved to EXITED.',
});

export const JourneyRef: ObjectRef<SchemaTypes, Journey> = memberNode('Journey', journeyById, {
  description:
    'A sequence of nodes that contacts pass through. Each enrolment is pinned to the template versions that were ACTIVE when the contact entered the journey.',
  fields: t => ({
    ...expose(t, 'String!', { name: 'The display name.' }),
    ...expose(t, JourneyStatusRef, { status: 'The status of the journey.' }),
    ...expose(t, 'Int!', {
      definitionNumber:
        'A counter that increases with each change to the nodes. Enrolments in flight finish with the definition that was current when they started.',
      version:
        'A counter that increases with each change. An update must include the value that it is based on.',
    }),
    ...expose(t, 'DateTime!', {
      createdAt: 'When the journey was created.',
      updatedAt: 'When the journey was last changed.',
    }),
    entrySegment: linked(
      t,
      'entrySegmentId',
      SegmentRef,
      segmentById,
      'The segment whose new members enter the journey; null if contacts enter only through `journeyEnrol`.',
    ),
    nodes: t.field({
      type: [JourneyNodeRef],
      nullable: false,
      description:
        'The nodes for contacts who enter the journey now. Contacts start at the first node.',
      // The nodes come with the journey, and the objects that they refer to are loaded in one
      // query.
      complexity: { field: 1, multiplier: 1 },
      resolve: async ({ id }, _args, graph) => [...((await standingById(graph, id))?.nodes ?? [])],
    }),
    inFlightCount: t.int({
      nullable: false,
      description: 'The number of enrolments in flight.',
      resolve: async ({ id }, _args, graph) => (await standingById(graph, id))?.inFlight ?? 0,
    }),
  }),
});

const JourneyConnection = connectionType('Journey', JourneyRef);

pageQuery('journeys', {
  type: JourneyConnection,
  description: 'The journeys in the viewer’s workspace, newest first.',
  args: arg => ({ status: arg({ type: JourneyStatusRef, description: 'Filters by status.' }) }),
  page: (context, page, { status }) => journeys.page(context, page, status ? { status } : {}),
});

nodeQuery('journey', JourneyRef, journeyById, {
  description: 'A journey in the viewer’s workspace; null if it does not exist.',
  id: 'The ID of the journey.',
});

const ENTRY_TEXT =
  'The ID of the entry segment. People who become members of the segment while the journey is active enter the journey, unless they are already enrolled or no contact exists for them. People who are already members when the journey is activated do not enter it.';

const shown = (description: string) =>
  changedObject('journey', JourneyRef, journeyById, description);

mutation({
  name: 'journeyCreate',
  description: 'Creates a draft journey. Contacts cannot enter it until it is activated.',
  access: 'member',
  input: t => ({
    name: t.string({ required: true, description: 'The display name.' }),
    nodes: t.field({
      type: [JourneyNodeInput],
      required: true,
      description:
        'The nodes: at most 50, including at most 20 SEND nodes. Contacts start at the first node.',
    }),
    entrySegmentId: t.globalID({ description: ENTRY_TEXT }),
  }),
  contract: journeyCreateContract,
  codes: ['NOT_FOUND', 'JOURNEY_TOO_LARGE', 'TOO_MANY_JOURNEYS', 'VERSION_OF_ANOTHER_NODE'],
  action: journeyCreate,
  payload: shown('The new draft.'),
});

mutation({
  name: 'journeyUpdate',
  description:
    'Updates a journey for contacts who enter it from now on. Enrolments in flight finish with the definition that was current when they started. Members can update drafts; only owners can update an activated journey. Omitted fields are unchanged.',
  access: 'member',
  target: JourneyRef,
  input: t => ({
    version: t.int({
      required: true,
      description:
        'The `version` that the update is based on. The update fails if the journey has a newer version.',
    }),
    name: t.string({ description: 'The display name.' }),
    nodes: t.field({
      type: [JourneyNodeInput],
      description: 'The nodes. The list replaces all existing nodes.',
    }),
    entrySegmentId: t.globalID({ description: `${ENTRY_TEXT} Null removes the entry segment.` }),
  }),
  contract: journeyUpdateContract,
  codes: [
    'NOT_FOUND',
    'JOURNEY_CHANGED',
    'JOURNEY_STATUS',
    'JOURNEY_TOO_LARGE',
    'SEGMENT_NOT_READY',
    'VERSION_OF_ANOTHER_NODE',
  ],
  action: journeyUpdate,
  payload: shown('The updated journey.'),
});

mutation({
  name: 'journeyActivate',
  description:
    'Activates a journey. Contacts can then enter it, and its enrolments in flight continue.',
  access: 'owner',
  target: JourneyRef,
  input: t => ({
    version: t.int({
      required: true,
      description:
        'The `version` of the journey that you reviewed. The activation fails if the journey has a newer version.',
    }),
  }),
  contract: journeyActivateContract,
  codes: [
    'NOT_FOUND',
    'JOURNEY_CHANGED',
    'JOURNEY_STATUS',
    'JOURNEY_INCOMPLETE',
    'SEGMENT_NOT_READY',
  ],
  action: journeyActivate,
  payload: shown('The activated journey.'),
});

mutation({
  name: 'journeyPause',
  description:
    'Pauses a journey. Until it is activated again, no contacts enter it and nothing is sent.',
  access: 'owner',
  target: JourneyRef,
  contract: idContract,
  codes: ['NOT_FOUND', 'JOURNEY_STATUS'],
  action: journeyPause,
  payload: shown('The paused journey.'),
});

mutation({
  name: 'journeyArchive',
  description:
    'Permanently ends a journey. Enrolments in flight are moved to EXITED within about a minute.',
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
    'Enrols contacts in a journey and pins them to the template versions that are currently ACTIVE. Contacts who are already enrolled are not affected.',
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
      description: 'The user IDs of contacts who were already enrolled.',
      resolve: ({ result }) => result && [...result.alreadyInside],
    }),
    unknownUserIds: t.stringList({
      description: 'The user IDs that match no contact.',
      resolve: ({ result }) => result && [...result.unknownUserIds],
    }),
  }),
});
