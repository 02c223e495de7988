import type { ObjectRef } from '@pothos/core';
import { ContactRef, contactById } from '../contacts/contact.graph.ts';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import {
  connectionOfPage,
  connectionType,
  pageArgs,
  pageCost,
} from '../platform/graph/connection.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { TemplateVersionRef, templateVersionById } from '../templates/version.graph.ts';
import { Enrolment } from './enrolment.entity.ts';
import {
  enrolmentsByIds,
  enrolmentsPage,
  type HeldVersion,
  heldVersions,
} from './enrolment.reads.ts';
import { JourneyRef, journeyById } from './journey.graph.ts';

export const enrolmentById = loaderById(enrolmentsByIds);
const heldById = loaderById(heldVersions);

const EnrolmentStateRef = builder.enumType('EnrolmentState', {
  description: 'How far a person is in a journey.',
  values: {
    READY: { description: 'About to do what the node says.' },
    WAITING: { description: 'Done with the node, and waiting for time or for an answer.' },
    COMPLETED: { description: 'Came to an end of the journey.' },
    EXITED: { description: 'Was taken out of it.' },
  } as const,
});

const OverrideKindRef = builder.enumType('OverrideKind', {
  description: 'Why a person gets another version than everybody.',
  values: {
    HOLD: { description: 'An operator keeps them on the version that they are pinned to.' },
    PIN: { description: 'An operator chose it.' },
    MIGRATED: { description: 'Their data no longer fills the version that they were pinned to.' },
  } as const,
});

const HeldVersionRef = builder.objectRef<HeldVersion>('HeldVersion').implement({
  description: 'What a person holds at a send node.',
  authScopes: { member: true },
  fields: t => ({
    nodeId: t.exposeString('nodeId', { nullable: false, description: 'The node.' }),
    pinned: t.field({
      type: TemplateVersionRef,
      description: 'By the snapshot of when they entered; it never changes.',
      resolve: ({ pinnedVersionId: id }, _args, graph) =>
        id === null ? null : templateVersionById(graph, id),
    }),
    override: t.field({
      type: TemplateVersionRef,
      description: 'What they get in its place; null where nothing was overridden.',
      resolve: ({ overrideVersionId: id }, _args, graph) =>
        id === null ? null : templateVersionById(graph, id),
    }),
    overrideKind: t.field({
      type: OverrideKindRef,
      description: 'Why.',
      resolve: ({ overrideKind }) => overrideKind,
    }),
    overrideReason: t.exposeString('overrideReason', { description: 'Why, in words.' }),
  }),
});

export const EnrolmentRef: ObjectRef<SchemaTypes, Enrolment> = builder.node(Enrolment, {
  name: 'Enrolment',
  description: 'A person on the way through a journey.',
  authScopes: { member: true },
  id: { resolve: enrolment => enrolment.id },
  loadOne: (id, graph) => enrolmentById(graph, id),
  fields: t => ({
    journey: t.field({
      type: JourneyRef,
      nullable: true,
      description: 'The journey.',
      resolve: ({ journeyId }, _args, graph) => journeyById(graph, journeyId),
    }),
    contact: t.field({
      type: ContactRef,
      description: 'The person.',
      resolve: ({ contactId }, _args, graph) => contactById(graph, contactId),
    }),
    state: t.field({
      type: EnrolmentStateRef,
      nullable: false,
      description: 'How far they are.',
      resolve: ({ state }) => state,
    }),
    nodeId: t.exposeString('nodeId', { nullable: false, description: 'The node they are at.' }),
    nextAt: t.expose('nextAt', { type: 'DateTime', description: 'When they go on by themselves.' }),
    versions: t.field({
      type: [HeldVersionRef],
      nullable: false,
      description: 'What they hold at each send node.',
      // They are few, and their versions are loaded for all of them at once.
      complexity: { field: 1, multiplier: 1 },
      resolve: async ({ id }, _args, graph) => [...((await heldById(graph, id))?.versions ?? [])],
    }),
    enteredAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When they entered, and were pinned.',
    }),
    endedAt: t.expose('endedAt', { type: 'DateTime', description: 'When they left.' }),
  }),
});

const EnrolmentConnection = connectionType('Enrolment', EnrolmentRef);

builder.objectField(JourneyRef, 'enrolments', t =>
  t.field({
    type: EnrolmentConnection,
    nullable: false,
    description: 'Who entered it, the last first.',
    args: {
      ...pageArgs(t.arg),
      state: t.arg({ type: EnrolmentStateRef, description: 'Only those of this state.' }),
    },
    complexity: pageCost,
    resolve: async ({ id: journeyId }, { first, after, state }, { context }) => {
      const page = { first, after };
      return connectionOfPage(await enrolmentsPage(context, page, { journeyId, state }), page);
    },
  }),
);

builder.queryField('enrolment', t =>
  t.field({
    type: EnrolmentRef,
    description: 'A person’s way through a journey; null where there is none.',
    authScopes: { member: true },
    args: { id: t.arg.globalID({ required: true, description: 'Its global id.' }) },
    resolve: (_root, { id }, graph) =>
      id.typename === 'Enrolment' ? enrolmentById(graph, id.id) : null,
  }),
);
