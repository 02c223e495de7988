import { z } from 'zod';
import { requiredText, text } from '../../schema/values/text.ts';
import { nodesSchema } from './nodes.ts';

const NAME_CHARACTERS_MAX = 256;
const NODE_ID_CHARACTERS_MAX = 64;
/** The contacts of one call, which is one transaction. */
const ENROL_MAX = 1_000;

const name = requiredText(NAME_CHARACTERS_MAX);
const nodeId = requiredText(NODE_ID_CHARACTERS_MAX);
/** The reason for an override, for other members. */
const reason = text().nullish();
const version = z.int().min(1);

/** Null clears it. */
const entrySegmentId = z.uuid().nullish();

export const journeyCreateContract = z.strictObject({ name, nodes: nodesSchema, entrySegmentId });
export type JourneyCreate = z.output<typeof journeyCreateContract>;

export const journeyUpdateContract = z.strictObject({
  id: z.uuid(),
  version,
  name: name.optional(),
  nodes: nodesSchema.optional(),
  entrySegmentId,
});
export type JourneyUpdate = z.output<typeof journeyUpdateContract>;

export const journeyActivateContract = z.strictObject({ id: z.uuid(), version });
export type JourneyActivate = z.output<typeof journeyActivateContract>;

export const idContract = z.strictObject({ id: z.uuid() });
export type Id = z.output<typeof idContract>;

export const journeyEnrolContract = z.strictObject({
  id: z.uuid(),
  userIds: z.array(requiredText()).min(1).max(ENROL_MAX),
});
export type JourneyEnrol = z.output<typeof journeyEnrolContract>;

export const enrolmentHoldContract = z.strictObject({ id: z.uuid(), nodeId, reason });
export type EnrolmentHold = z.output<typeof enrolmentHoldContract>;

export const enrolmentOverrideContract = z.strictObject({
  id: z.uuid(),
  nodeId,
  versionId: z.uuid(),
  reason,
});
export type EnrolmentOverride = z.output<typeof enrolmentOverrideContract>;

export const enrolmentOverrideRemoveContract = z.strictObject({ id: z.uuid(), nodeId });
export type EnrolmentOverrideRemove = z.output<typeof enrolmentOverrideRemoveContract>;

export const rolloutForceContract = z.strictObject({
  id: z.uuid(),
  /** Omitted means all journeys. */
  journeyId: z.uuid().nullish(),
});
export type RolloutForce = z.output<typeof rolloutForceContract>;
