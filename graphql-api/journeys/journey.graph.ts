import type { ObjectRef } from '@pothos/core';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import {
  connectionOfPage,
  connectionType,
  pageArgs,
  pageCost,
} from '../platform/graph/connection.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { Journey } from './journey.entity.ts';
import { journeysByIds, journeysPage, standingOfJourneys } from './journey.reads.ts';
import { JourneyNodeRef } from './node.graph.ts';

export const journeyById = loaderById(journeysByIds);
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
    name: t.exposeString('name', { nullable: false, description: 'The display name.' }),
    status: t.field({
      type: JourneyStatusRef,
      nullable: false,
      description: 'The status of the journey.',
      resolve: ({ status }) => status,
    }),
    definitionNumber: t.exposeInt('definitionNumber', {
      nullable: false,
      description:
        'A counter that increases with each change of the nodes. Enrolments in flight finish on the definition they entered with.',
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
    version: t.exposeInt('version', {
      nullable: false,
      description: 'A counter that increases with each change. An update must name it.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When the journey was created.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When the journey was last changed.',
    }),
  }),
});

const JourneyConnection = connectionType('Journey', JourneyRef);

builder.queryField('journeys', t =>
  t.field({
    type: JourneyConnection,
    nullable: false,
    description: 'The journeys of the viewer’s workspace, newest first.',
    authScopes: { member: true },
    args: {
      ...pageArgs(t.arg),
      status: t.arg({ type: JourneyStatusRef, description: 'Filters by status.' }),
    },
    complexity: pageCost,
    resolve: async (_root, { first, after, status }, { context }) => {
      const page = { first, after };
      return connectionOfPage(await journeysPage(context, page, { status }), page);
    },
  }),
);

builder.queryField('journey', t =>
  t.field({
    type: JourneyRef,
    description: 'A journey of the viewer’s workspace; null if it does not exist.',
    authScopes: { member: true },
    args: { id: t.arg.globalID({ required: true, description: 'The ID of the journey.' }) },
    resolve: (_root, { id }, graph) =>
      id.typename === 'Journey' ? journeyById(graph, id.id) : null,
  }),
);
