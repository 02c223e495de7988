import type { ObjectRef } from '@pothos/core';
import { ContactRef, contactById, contactByUserId } from '../contacts/contact.graph.ts';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import {
  connectionOfPage,
  connectionType,
  pageArgs,
  pageCost,
} from '../platform/graph/connection.ts';
import { describedEnum } from '../platform/graph/described-enum.ts';
import { expose, linked, memberNode, memberObject, nodeQuery } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { changed, mutation, type PayloadFields } from '../platform/graph/mutation.ts';
import { TemplateVersionRef, templateVersionById } from '../templates/version.graph.ts';
import {
  enrolmentExit,
  enrolmentHoldCurrent,
  enrolmentOverride,
  enrolmentOverrideRemove,
} from './enrolment.actions.ts';
import type { Enrolment } from './enrolment.entity.ts';
import { enrolments, type HeldVersion, heldVersions } from './enrolment.reads.ts';
import {
  enrolmentHoldContract,
  enrolmentOverrideContract,
  enrolmentOverrideRemoveContract,
  idContract,
} from './journey.contract.ts';
import { JourneyRef, journeyById } from './journey.graph.ts';

const enrolmentById = loaderById(enrolments.byIds);
const heldById = loaderById(heldVersions);

const EnrolmentStateRef = describedEnum('EnrolmentState', 'The state of an enrolment.', {
  READY: 'The enrolment is ready to run the current node.',
  WAITING:
    'The enrolment is waiting at the current node until a certain time or until the contact responds.',
  COMPLETED: 'The enrolment reached an end node of the journey.',
  EXITED: 'The contact was removed from the journey.',
});

const OverrideKindRef = describedEnum('OverrideKind', 'The reason for an override.', {
  HOLD: 'An owner keeps the enrolment on its pinned version.',
  PIN: 'An owner chose the version.',
  MIGRATED: 'The contact’s data no longer provides every value that the pinned version requires.',
});

const HeldVersionRef = memberObject<HeldVersion>('HeldVersion', {
  description: 'An enrolment’s pinned version at a send node, and any override.',
  fields: t => ({
    ...expose(t, 'String!', { nodeId: 'The ID of the node.' }),
    pinned: linked(
      t,
      'pinnedVersionId',
      TemplateVersionRef,
      templateVersionById,
      'The version pinned in the snapshot that was taken when the contact entered the journey. It never changes.',
    ),
    override: linked(
      t,
      'overrideVersionId',
      TemplateVersionRef,
      templateVersionById,
      'The version used instead of the pinned one; null if there is no override.',
    ),
    overrideKind: t.expose('overrideKind', {
      type: OverrideKindRef,
      description: 'The kind of override; null if there is none.',
    }),
    ...expose(t, 'String', {
      overrideReason: 'The reason given for the override; null if none was given.',
    }),
  }),
});

const EnrolmentRef: ObjectRef<SchemaTypes, Enrolment> = memberNode('Enrolment', enrolmentById, {
  description: 'A contact’s passage through a journey.',
  fields: t => ({
    journey: linked(t, 'journeyId', JourneyRef, journeyById, 'The journey.'),
    contact: linked(t, 'contactId', ContactRef, contactById, 'The contact.'),
    ...expose(t, EnrolmentStateRef, { state: 'The state of the enrolment.' }),
    ...expose(t, 'String!', { nodeId: 'The ID of the current node.' }),
    ...expose(t, 'DateTime', {
      nextAt:
        'When the enrolment will next advance on its own; null if it is not scheduled to advance.',
      endedAt: 'When the enrolment ended; null while it is in flight.',
    }),
    versions: t.field({
      type: [HeldVersionRef],
      nullable: false,
      description: 'The pinned version at each send node, and any override.',
      // There are few, and their versions are loaded in one query.
      complexity: { field: 1, multiplier: 1 },
      resolve: async ({ id }, _args, graph) => [...((await heldById(graph, id))?.versions ?? [])],
    }),
    enteredAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When the contact entered the journey and the template versions were pinned.',
    }),
  }),
});

const EnrolmentConnection = connectionType('Enrolment', EnrolmentRef);

builder.objectField(JourneyRef, 'enrolments', t =>
  t.field({
    type: EnrolmentConnection,
    nullable: false,
    description: 'The enrolments in the journey, most recent first.',
    args: {
      ...pageArgs(t.arg),
      state: t.arg({ type: EnrolmentStateRef, description: 'Filters by state.' }),
      isInFlight: t.arg.boolean({ description: 'Filters by whether the enrolment is in flight.' }),
      userId: t.arg.string({ description: 'Filters by the contact’s user ID.' }),
    },
    complexity: pageCost,
    resolve: async ({ id: journeyId }, { first, after, state, isInFlight, userId }, graph) => {
      const { context } = graph;
      const page = { first, after };
      const contact = userId == null ? undefined : await contactByUserId(graph, userId);
      const filter = {
        journeyId,
        ...(contact !== undefined && { contactId: { $in: contact === null ? [] : [contact.id] } }),
        ...(state && { state }),
        ...(typeof isInFlight === 'boolean' && { endedAt: isInFlight ? null : { $ne: null } }),
      };
      return connectionOfPage(await enrolments.page(context, page, filter), page);
    },
  }),
);

builder.objectField(ContactRef, 'enrolments', t =>
  t.field({
    type: EnrolmentConnection,
    nullable: false,
    description: 'The enrolments of the contact in journeys, most recent first.',
    args: pageArgs(t.arg),
    complexity: pageCost,
    resolve: async ({ id: contactId }, page, { context }) =>
      connectionOfPage(await enrolments.page(context, page, { contactId }), page),
  }),
);

nodeQuery('enrolment', EnrolmentRef, enrolmentById, {
  description: 'An enrolment in the viewer’s workspace; null if it does not exist.',
  id: 'The ID of the enrolment.',
});

const shown = (t: PayloadFields<{ readonly id: string }>) => ({
  enrolment: changed(t, EnrolmentRef, enrolmentById, 'The updated enrolment.'),
});

mutation({
  name: 'enrolmentHoldCurrent',
  description:
    'Keeps an enrolment on its pinned version at a send node, even if a forced rollout would replace that version.',
  access: 'owner',
  target: EnrolmentRef,
  input: t => ({
    nodeId: t.string({ required: true, description: 'The ID of the send node.' }),
    reason: t.string({ description: 'The reason for the hold. Visible to other members.' }),
  }),
  contract: enrolmentHoldContract,
  codes: ['NOT_FOUND', 'ENROLMENT_ENDED', 'NOT_PINNED'],
  action: enrolmentHoldCurrent,
  payload: shown,
});

mutation({
  name: 'enrolmentOverride',
  description:
    'Overrides the version that an enrolment uses at a node. An override takes precedence over pins and forced rollouts.',
  access: 'owner',
  target: EnrolmentRef,
  input: t => ({
    nodeId: t.string({ required: true, description: 'The ID of the send node.' }),
    versionId: t.globalID({
      required: true,
      description:
        'The ID of a version that can be sent. It must match the template, channel and language of the node.',
    }),
    reason: t.string({ description: 'The reason for the override. Visible to other members.' }),
  }),
  contract: enrolmentOverrideContract,
  codes: ['NOT_FOUND', 'ENROLMENT_ENDED', 'VERSION_OF_ANOTHER_NODE', 'VERSION_NOT_SENDABLE'],
  action: enrolmentOverride,
  payload: shown,
});

mutation({
  name: 'enrolmentOverrideRemove',
  description: 'Removes an override, so that the snapshot and forced rollouts apply again.',
  access: 'owner',
  target: EnrolmentRef,
  input: t => ({ nodeId: t.string({ required: true, description: 'The ID of the send node.' }) }),
  contract: enrolmentOverrideRemoveContract,
  codes: ['NOT_FOUND', 'ENROLMENT_ENDED'],
  action: enrolmentOverrideRemove,
  payload: shown,
});

mutation({
  name: 'enrolmentExit',
  description:
    'Removes a contact from a journey by ending the enrolment. Idempotent: has no effect if the enrolment has already ended.',
  access: 'owner',
  target: EnrolmentRef,
  contract: idContract,
  codes: ['NOT_FOUND'],
  action: enrolmentExit,
  payload: shown,
});
