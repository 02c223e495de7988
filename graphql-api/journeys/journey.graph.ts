import type { ObjectRef } from '@pothos/core';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../platform/graph/connection.ts';
import { expose, nodeQuery } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { Journey } from './journey.entity.ts';
import { journeys, standingOfJourneys } from './journey.reads.ts';
import { JourneyNodeRef } from './node.graph.ts';

export const journeyById = loaderById(journeys.byIds);
const standingById = loaderById(standingOfJourneys);

const JourneyStatusRef = builder.enumType('JourneyStatus', {
  description: 'The status of a journey.',
  values: {
    DRAFT: { description: 'Not activated yet. Members may edit it.' },
    ACTIVE: { description: 'Contacts enter and advance.' },
    PAUSED: { description: 'No contact enters, and enrolments do not advance.' },
    ARCHIVED: { description: 'Permanently ended. Remaining enrolments are exited.' },
  } as const,
});

export const JourneyRef: ObjectRef<SchemaTypes, Journey> = builder.node(Journey, {
  name: 'Journey',
  description:
    'A sequence of nodes that contacts pass through. Each enrolment is pinned to the versions that were ACTIVE when the contact entered.',
  authScopes: { member: true },
  id: { resolve: journey => journey.id },
  loadOne: (id, graph) => journeyById(graph, id),
  fields: t => ({
    ...expose(t, 'String!', { name: 'The display name.' }),
    ...expose(t, JourneyStatusRef, { status: 'The status of the journey.' }),
    ...expose(t, 'Int!', {
      definitionNumber:
        'A counter that increases with each change of the nodes. Enrolments in flight finish on the definition they entered with.',
      version: 'A counter that increases with each change. An update must name it.',
    }),
    ...expose(t, 'DateTime!', {
      createdAt: 'When the journey was created.',
      updatedAt: 'When the journey was last changed.',
    }),
    nodes: t.field({
      type: [JourneyNodeRef],
      nullable: false,
      description: 'The nodes for contacts who enter now. The first node is the entry.',
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
  description: 'The journeys of the viewer’s workspace, newest first.',
  args: arg => ({ status: arg({ type: JourneyStatusRef, description: 'Filters by status.' }) }),
  page: (context, page, { status }) => journeys.page(context, page, status ? { status } : {}),
});

nodeQuery('journey', JourneyRef, journeyById, {
  description: 'A journey of the viewer’s workspace; null if it does not exist.',
  id: 'The ID of the journey.',
});
