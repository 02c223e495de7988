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
  description: 'Whether people go through a journey.',
  values: {
    DRAFT: { description: 'Not activated yet; members may edit it.' },
    ACTIVE: { description: 'People enter it, and go on.' },
    PAUSED: { description: 'Nobody enters, and everybody stays where they are.' },
    ARCHIVED: { description: 'Ended for ever; those who were inside leave.' },
  } as const,
});

export const JourneyRef: ObjectRef<SchemaTypes, Journey> = builder.node(Journey, {
  name: 'Journey',
  description: 'What people go through, pinned to the versions that were ACTIVE when they entered.',
  authScopes: { member: true },
  id: { resolve: journey => journey.id },
  loadOne: (id, graph) => journeyById(graph, id),
  fields: t => ({
    name: t.exposeString('name', { nullable: false, description: 'What people call it.' }),
    status: t.field({
      type: JourneyStatusRef,
      nullable: false,
      description: 'Whether people go through it.',
      resolve: ({ status }) => status,
    }),
    definitionNumber: t.exposeInt('definitionNumber', {
      nullable: false,
      description: 'Goes up with each change of the nodes; who is inside finishes on theirs.',
    }),
    nodes: t.field({
      type: [JourneyNodeRef],
      nullable: false,
      description: 'What those who enter now go through; the first one is where they enter.',
      // They come with the journey; what they name is loaded for all of them at once.
      complexity: { field: 1, multiplier: 1 },
      resolve: async ({ id }, _args, graph) => [...((await standingById(graph, id))?.nodes ?? [])],
    }),
    inFlightCount: t.int({
      nullable: false,
      description: 'How many people are in it now.',
      resolve: async ({ id }, _args, graph) => (await standingById(graph, id))?.inFlight ?? 0,
    }),
    version: t.exposeInt('version', {
      nullable: false,
      description: 'Goes up with each change; an edit names the one that it changes.',
    }),
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
  }),
});

const JourneyConnection = connectionType('Journey', JourneyRef);

builder.queryField('journeys', t =>
  t.field({
    type: JourneyConnection,
    nullable: false,
    description: 'The journeys of the viewer’s workspace.',
    authScopes: { member: true },
    args: {
      ...pageArgs(t.arg),
      status: t.arg({ type: JourneyStatusRef, description: 'Only those of this status.' }),
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
    description: 'A journey of the viewer’s workspace; null where there is none.',
    authScopes: { member: true },
    args: { id: t.arg.globalID({ required: true, description: 'Its global id.' }) },
    resolve: (_root, { id }, graph) =>
      id.typename === 'Journey' ? journeyById(graph, id.id) : null,
  }),
);
