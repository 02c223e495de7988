import { mutation, type PayloadFields } from '../platform/graph/mutation.ts';
import { EnrolmentRef, enrolmentById } from './enrolment.graph.ts';
import {
  enrolmentExit,
  enrolmentHoldCurrent,
  enrolmentOverride,
  enrolmentOverrideRemove,
} from './enrolment.override-version.ts';
import {
  enrolmentHoldContract,
  enrolmentIdContract,
  enrolmentOverrideContract,
  enrolmentOverrideRemoveContract,
} from './journey.contract.ts';

const shown = (t: PayloadFields<{ readonly id: string }>) => ({
  enrolment: t.field({
    type: EnrolmentRef,
    description: 'The person’s way as it is now.',
    resolve: ({ result }, _args, graph) => result && enrolmentById(graph, result.id),
  }),
});

mutation({
  name: 'enrolmentHoldCurrent',
  description:
    'Keeps a person on the version that they are pinned to, also when another one is forced on everybody.',
  access: 'owner',
  target: EnrolmentRef,
  input: t => ({
    nodeId: t.string({ required: true, description: 'The send node.' }),
    reason: t.string({ description: 'For those who look at it later.' }),
  }),
  contract: enrolmentHoldContract,
  codes: ['NOT_FOUND', 'ENROLMENT_ENDED', 'NOT_PINNED'],
  action: enrolmentHoldCurrent,
  payload: shown,
});

mutation({
  name: 'enrolmentOverride',
  description: 'Gives a person another version at a node, whatever else holds.',
  access: 'owner',
  target: EnrolmentRef,
  input: t => ({
    nodeId: t.string({ required: true, description: 'The send node.' }),
    versionId: t.globalID({
      required: true,
      description: 'Of the node’s template, channel and language, and sendable.',
    }),
    reason: t.string({ description: 'For those who look at it later.' }),
  }),
  contract: enrolmentOverrideContract,
  codes: ['NOT_FOUND', 'ENROLMENT_ENDED', 'VERSION_OF_ANOTHER_NODE', 'VERSION_NOT_SENDABLE'],
  action: enrolmentOverride,
  payload: shown,
});

mutation({
  name: 'enrolmentOverrideRemove',
  description: 'Back to the snapshot, and to what else holds for everybody.',
  access: 'owner',
  target: EnrolmentRef,
  input: t => ({ nodeId: t.string({ required: true, description: 'The send node.' }) }),
  contract: enrolmentOverrideRemoveContract,
  codes: ['NOT_FOUND', 'ENROLMENT_ENDED'],
  action: enrolmentOverrideRemove,
  payload: shown,
});

mutation({
  name: 'enrolmentExit',
  description: 'Takes a person out of a journey. Whoever has left stays as they are.',
  access: 'owner',
  target: EnrolmentRef,
  contract: enrolmentIdContract,
  codes: ['NOT_FOUND'],
  action: enrolmentExit,
  payload: shown,
});
