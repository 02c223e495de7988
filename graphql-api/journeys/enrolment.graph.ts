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
  description: 'The state of an enrolment.',
  values: {
    READY: { description: 'Ready to run the current node.' },
    WAITING: {
      description: 'Finished the current node, and waiting for a time or for a response.',
    },
    COMPLETED: { description: 'Reached an end of the journey.' },
    EXITED: { description: 'Removed from the journey.' },
  } as const,
});

const OverrideKindRef = builder.enumType('OverrideKind', {
  description: 'The reason that an enrolment uses another version than the pinned one.',
  values: {
    HOLD: { description: 'An operator keeps the enrolment on its pinned version.' },
    PIN: { description: 'An operator chose the version.' },
    MIGRATED: {
      description:
        'The contact’s data no longer provides every value that the pinned version requires.',
    },
  } as const,
});

const HeldVersionRef = builder.objectRef<HeldVersion>('HeldVersion').implement({
  description: 'The versions that an enrolment uses at a send node.',
  authScopes: { member: true },
  fields: t => ({
    nodeId: t.exposeString('nodeId', { nullable: false, description: 'The ID of the node.' }),
    pinned: t.field({
      type: TemplateVersionRef,
      description: 'The version pinned by the snapshot taken at entry. Never changes.',
      resolve: ({ pinnedVersionId: id }, _args, graph) =>
        id === null ? null : templateVersionById(graph, id),
    }),
    override: t.field({
      type: TemplateVersionRef,
      description: 'The version used instead of the pinned one; null if not overridden.',
      resolve: ({ overrideVersionId: id }, _args, graph) =>
        id === null ? null : templateVersionById(graph, id),
    }),
    overrideKind: t.field({
      type: OverrideKindRef,
      description: 'The kind of override; null if there is none.',
      resolve: ({ overrideKind }) => overrideKind,
    }),
    overrideReason: t.exposeString('overrideReason', {
      description: 'The reason for the override in words; null if none was given.',
    }),
  }),
});

export const EnrolmentRef: ObjectRef<SchemaTypes, Enrolment> = builder.node(Enrolment, {
  name: 'Enrolment',
  description: 'The passage of a contact through a journey.',
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
      description: 'The contact.',
      resolve: ({ contactId }, _args, graph) => contactById(graph, contactId),
    }),
    state: t.field({
      type: EnrolmentStateRef,
      nullable: false,
      description: 'The state of the enrolment.',
      resolve: ({ state }) => state,
    }),
    nodeId: t.exposeString('nodeId', {
      nullable: false,
      description: 'The ID of the current node.',
    }),
    nextAt: t.expose('nextAt', {
      type: 'DateTime',
      description: 'When the enrolment next advances on its own; null if it does not.',
    }),
    versions: t.field({
      type: [HeldVersionRef],
      nullable: false,
      description: 'The versions used at each send node.',
      // There are few, and their versions are loaded in one query.
      complexity: { field: 1, multiplier: 1 },
      resolve: async ({ id }, _args, graph) => [...((await heldById(graph, id))?.versions ?? [])],
    }),
    enteredAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When the contact entered and the versions were pinned.',
    }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      description: 'When the enrolment ended; null while it is in flight.',
    }),
  }),
});

const EnrolmentConnection = connectionType('Enrolment', EnrolmentRef);

builder.objectField(JourneyRef, 'enrolments', t =>
  t.field({
    type: EnrolmentConnection,
    nullable: false,
    description: 'The enrolments of the journey, most recent first.',
    args: {
      ...pageArgs(t.arg),
      state: t.arg({ type: EnrolmentStateRef, description: 'Filters by state.' }),
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
    description: 'An enrolment of the viewer’s workspace; null if it does not exist.',
    authScopes: { member: true },
    args: { id: t.arg.globalID({ required: true, description: 'The ID of the enrolment.' }) },
    resolve: (_root, { id }, graph) =>
      id.typename === 'Enrolment' ? enrolmentById(graph, id.id) : null,
  }),
);
