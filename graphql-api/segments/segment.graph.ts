import type { ObjectRef } from '@pothos/core';
import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import {
  connectionOfPage,
  connectionType,
  pageArgs,
  pageCost,
  pageQuery,
} from '../platform/graph/connection.ts';
import { expose, memberNode, memberObject, nodeQuery } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { changedObject, mutation } from '../platform/graph/mutation.ts';
import { uuidOf } from '../platform/graph/node-id.ts';
import { reportCost } from '../platform/graph/report-args.ts';
import { segmentArchive, segmentCreate, segmentUpdate } from './segment.actions.ts';
import {
  segmentCreateContract,
  segmentIdContract,
  segmentUpdateContract,
} from './segment.contract.ts';
import type { Segment } from './segment.entity.ts';
import type { SegmentPeople } from './segment.evaluate.ts';
import { segmentMembers, segmentPreview, segments } from './segment.reads.ts';
import type { SegmentMember } from './segment-member.entity.ts';
import { RULE_DAYS_MAX, RULE_LEVELS_MAX } from './segment-rule.ts';

export const segmentById = loaderById(segments.byIds);

const RULE_TEXT = `The rule: conditions nested in {"and"}, {"or"} and {"not"}, at most ${RULE_LEVELS_MAX} levels deep. A condition is either {"event": {"name", "filters"}, "at_least", "at_most", "within_days"} or a trait comparison, as in an audience rule. \`from\` and \`to\` can be used instead of \`within_days\`. The period can be at most ${RULE_DAYS_MAX} days long. \`event\` uses the field names of the REST API. A rule that can match people who have no events is refused.`;

export const SegmentRef: ObjectRef<SchemaTypes, Segment> = memberNode('Segment', segmentById, {
  description:
    'A group of people defined by their behavior. Segments are used in campaign audiences and as entry segments of journeys. Events without a user ID are ignored.',
  fields: t => ({
    audienceId: t.exposeString('id', {
      nullable: false,
      description: 'The value to use as `segment_id` in audience rules.',
    }),
    ...expose(t, 'String!', { name: 'The display name.' }),
    ...expose(t, 'JSON!', { rule: RULE_TEXT }),
    ...expose(t, 'Int!', {
      memberCount: 'The number of members at the last evaluation.',
      version:
        'The version of the segment, incremented on each change. An update must include the version that it is based on.',
    }),
    ...expose(t, 'DateTime', {
      evaluatedAt:
        'When the members were last evaluated; null before the first evaluation of the rule. The segment is evaluated every five minutes if a live campaign or an active journey uses it, and daily otherwise.',
      archivedAt: 'When the segment was archived; null if it has not been archived.',
    }),
    ...expose(t, 'String', {
      fault:
        'The error code from the last evaluation; null if it succeeded. A failed evaluation does not change the members.',
    }),
    ...expose(t, 'DateTime!', {
      createdAt: 'When the segment was created.',
      updatedAt: 'When the segment was last changed.',
    }),
  }),
});

const SegmentConnection = connectionType('Segment', SegmentRef);

pageQuery('segments', {
  type: SegmentConnection,
  description: 'The segments in the viewer’s workspace, newest first.',
  args: arg => ({
    includeArchived: arg.boolean({
      description: 'Whether archived segments are included. Defaults to false.',
    }),
  }),
  page: (context, page, { includeArchived }) =>
    segments.page(context, page, includeArchived === true ? {} : { archivedAt: null }),
});

nodeQuery('segment', SegmentRef, segmentById, {
  description: 'A segment in the viewer’s workspace; null if it does not exist.',
  id: 'The ID of the segment.',
});

const SegmentMemberRef = memberObject<SegmentMember>('SegmentMember', {
  description: 'A person who was in a segment at its last evaluation.',
  fields: t => ({
    ...expose(t, 'String!', { userId: 'The application’s user ID for the person.' }),
    enteredAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'The time of the evaluation that made the person a member.',
    }),
  }),
});

const SegmentMemberConnection = connectionType('SegmentMember', SegmentMemberRef);

builder.queryField('segmentMembers', t =>
  t.field({
    type: SegmentMemberConnection,
    description:
      'The members of a segment in the viewer’s workspace, as of the segment’s last evaluation. The most recently added members come first.',
    authScopes: { member: true },
    args: {
      ...pageArgs(t.arg),
      id: t.arg.id({ required: true, description: 'The ID of the segment.' }),
    },
    complexity: pageCost,
    resolve: async (_root, { id, ...page }, { context }) => {
      const found = await segmentMembers(context, page, uuidOf('Segment', id));
      return connectionOfPage(found, page);
    },
  }),
);

const SegmentPreviewRef = memberObject<SegmentPeople>('SegmentPreview', {
  description: 'The people who match a rule now.',
  fields: t => ({
    people: t.int({
      nullable: false,
      description: 'The number of people who match the rule.',
      resolve: ({ userIds }) => userIds.length,
    }),
    ...expose(t, 'String!', {
      sql: 'The ClickHouse statement that counted the events, with its parameters, in a form that analysts can run. It does not include the trait comparisons, which are evaluated afterward.',
    }),
  }),
});

builder.queryField('segmentPreview', t =>
  t.field({
    type: SegmentPreviewRef,
    description: 'The people in the viewer’s workspace who match a rule now.',
    authScopes: { member: true },
    args: { rule: t.arg({ type: 'JSON', required: true, description: RULE_TEXT }) },
    complexity: reportCost(1),
    resolve: (_root, { rule }, { context }) => segmentPreview(context, rule),
  }),
);

const shown = (description: string) =>
  changedObject('segment', SegmentRef, segmentById, description);

mutation({
  name: 'segmentCreate',
  description: 'Creates a segment. It is evaluated within seconds.',
  access: 'member',
  input: t => ({
    name: t.string({ required: true, description: 'The display name.' }),
    rule: t.field({ type: 'JSON', required: true, description: RULE_TEXT }),
  }),
  contract: segmentCreateContract,
  codes: ['TOO_MANY_SEGMENTS'],
  action: segmentCreate,
  payload: shown('The new segment.'),
});

mutation({
  name: 'segmentUpdate',
  description:
    'Updates a segment. Omitted fields are unchanged. After a change to the rule, the members are updated within seconds; people added by the change do not enter journeys.',
  access: 'owner',
  target: SegmentRef,
  input: t => ({
    version: t.int({
      required: true,
      description:
        'The version that the update is based on. The update fails if the segment has a newer version.',
    }),
    name: t.string({ description: 'The display name.' }),
    rule: t.field({ type: 'JSON', description: RULE_TEXT }),
  }),
  contract: segmentUpdateContract,
  codes: ['NOT_FOUND', 'SEGMENT_ARCHIVED', 'SEGMENT_CHANGED'],
  action: segmentUpdate,
  payload: shown('The updated segment.'),
});

mutation({
  name: 'segmentArchive',
  description:
    'Archives a segment permanently and removes its members. Fails while a live campaign or an active journey uses it. Idempotent.',
  access: 'owner',
  target: SegmentRef,
  contract: segmentIdContract,
  codes: ['NOT_FOUND', 'SEGMENT_IN_USE'],
  action: segmentArchive,
  payload: shown('The archived segment.'),
});
