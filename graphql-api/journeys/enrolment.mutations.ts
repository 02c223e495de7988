import { changed, mutation, type PayloadFields } from '../platform/graph/mutation.ts';
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
  enrolment: changed(t, EnrolmentRef, enrolmentById, 'The updated enrolment.'),
});

mutation({
  name: 'enrolmentHoldCurrent',
  description: 'Keeps an enrolment on its pinned version, even if another version is forced.',
  access: 'owner',
  target: EnrolmentRef,
  input: t => ({
    nodeId: t.string({ required: true, description: 'The ID of the send node.' }),
    reason: t.string({ description: 'The reason, for other members.' }),
  }),
  contract: enrolmentHoldContract,
  codes: ['NOT_FOUND', 'ENROLMENT_ENDED', 'NOT_PINNED'],
  action: enrolmentHoldCurrent,
  payload: shown,
});

mutation({
  name: 'enrolmentOverride',
  description:
    'Overrides the version of an enrolment at a node. Takes precedence over pins and forced rollouts.',
  access: 'owner',
  target: EnrolmentRef,
  input: t => ({
    nodeId: t.string({ required: true, description: 'The ID of the send node.' }),
    versionId: t.globalID({
      required: true,
      description: 'The ID of a sendable version of the node’s template, channel and language.',
    }),
    reason: t.string({ description: 'The reason, for other members.' }),
  }),
  contract: enrolmentOverrideContract,
  codes: ['NOT_FOUND', 'ENROLMENT_ENDED', 'VERSION_OF_ANOTHER_NODE', 'VERSION_NOT_SENDABLE'],
  action: enrolmentOverride,
  payload: shown,
});

mutation({
  name: 'enrolmentOverrideRemove',
  description: 'Removes an override. The snapshot and forced rollouts apply again.',
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
  description: 'Exits an enrolment. Idempotent: an ended enrolment is unchanged.',
  access: 'owner',
  target: EnrolmentRef,
  contract: enrolmentIdContract,
  codes: ['NOT_FOUND'],
  action: enrolmentExit,
  payload: shown,
});
