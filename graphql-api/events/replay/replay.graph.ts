import type { ObjectRef } from '@pothos/core';
import { builder, type SchemaTypes } from '../../platform/graph/builder.ts';
import { connectionType, pageQuery } from '../../platform/graph/connection.ts';
import { describedEnum } from '../../platform/graph/described-enum.ts';
import { expose, memberNode, memberObject } from '../../platform/graph/fields.ts';
import { loaderById } from '../../platform/graph/loader.ts';
import { mutation } from '../../platform/graph/mutation.ts';
import { reportCost } from '../../platform/graph/report-args.ts';
import type { JobState } from '../../platform/jobs/job-states.ts';
import { rejectedEventsReplay, TRIED_MAX, TRY_QUESTIONS, tryReplay } from './replay.actions.ts';
import {
  REPLAY_EVENTS_DEFAULT,
  REPLAY_EVENTS_MAX,
  type ReplayRequest,
  rejectedEventsReplayContract,
  replayContract,
} from './replay.contract.ts';
import type { RejectedEventsReplay } from './replay.entity.ts';
import { rejectedEventsReplays, replayStatesByIds } from './replay.reads.ts';
import type { ReplayReport } from './replay-rejected.ts';

const FACTS_NOTE =
  '`set` and `fill` accept three special values. `@received_at` is the time when the event was received. `@sent_at` is the time when its batch was sent. `@derived` is an ID derived from the event. To set a literal value that begins with `@`, begin it with `@@`.';

const replayById = loaderById(rejectedEventsReplays.byIds);
const unfinishedStateById = loaderById(replayStatesByIds);

type Report = Omit<ReplayReport, 'samples'> & Partial<Pick<ReplayReport, 'samples'>>;

type Example = NonNullable<ReplayReport['example']>;

const RefusedAgain = memberObject<{ code: string; events: number }>('RejectedEventsReplayRefusal', {
  description: 'The number of events that were rejected again with a given error code.',
  fields: t => ({
    ...expose(t, 'String!', { code: 'The error code.' }),
    ...expose(t, 'Int!', { events: 'The number of events.' }),
  }),
});

const Sample = memberObject<ReplayReport['samples'][number]>('RejectedEventsReplaySample', {
  description: 'An event that was rejected again.',
  fields: t => ({
    ...expose(t, 'String!', {
      messageId: 'The message ID of the event.',
      code: 'The error code.',
      message: 'The error message.',
    }),
  }),
});

const ExampleRef = memberObject<Example>('RejectedEventsReplayExample', {
  description: 'An event that the correction changes.',
  fields: t =>
    expose(t, 'String!', {
      before: 'The JSON text of the event as it was sent.',
      after: 'The JSON text of the corrected event.',
    }),
});

const ReportRef = memberObject<Report>('RejectedEventsReplayReport', {
  description: 'The results of a replay or of a dry run.',
  fields: t => ({
    ...expose(t, 'Int!', {
      found: 'The number of rejected events that match the request, at most `limit`.',
      accepted:
        'The number of events that ingest accepted, including duplicates, which have no effect.',
      uncorrectable:
        'The number of events to which the correction cannot be applied, because the event itself or a value on one of the paths is not an object.',
    }),
    tried: t.int({
      nullable: false,
      description: `The number of events processed so far; at most ${TRIED_MAX} in a dry run.`,
      resolve: ({ accepted, uncorrectable, refused }) =>
        accepted + uncorrectable + Object.values(refused).reduce((sum, events) => sum + events, 0),
    }),
    refused: t.field({
      type: [RefusedAgain],
      nullable: false,
      description:
        'The number of events that were rejected again, by error code. The most frequent code comes first.',
      complexity: 1,
      resolve: ({ refused }) =>
        Object.entries(refused)
          .map(([code, events]) => ({ code, events }))
          .toSorted((one, other) => other.events - one.events),
    }),
    samples: t.field({
      type: [Sample],
      nullable: false,
      description:
        'A sample of the events that were rejected again. Empty unless this is a dry run.',
      complexity: 1,
      resolve: ({ samples }) => samples ?? [],
    }),
    example: t.field({
      type: ExampleRef,
      description:
        'The first event that the correction changes; null if it changes none or if this is not a dry run.',
      complexity: 1,
      resolve: ({ example }) => example,
    }),
  }),
});

const StateEnum = describedEnum<JobState>('RejectedEventsReplayState', 'The state of a replay.', {
  WAITING:
    'The replay is queued. It starts within about a second, or after earlier replays finish.',
  RUNNING: 'The replay is in progress.',
  COMPLETED: 'The replay has processed all events.',
  FAILED: 'The replay failed after several attempts. It is safe to request the replay again.',
});

const ReplayRef: ObjectRef<SchemaTypes, RejectedEventsReplay> = memberNode(
  'RejectedEventsReplay',
  replayById,
  {
    description: 'A replay, which corrects rejected events and sends them to ingest again.',
    fields: t => ({
      state: t.field({
        type: StateEnum,
        nullable: false,
        description: 'The state of the replay.',
        resolve: async ({ id, finishedAt }, _args, graph) =>
          finishedAt === null ? (await unfinishedStateById(graph, id))!.state : 'COMPLETED',
      }),
      report: t.field({
        type: ReportRef,
        description: 'The results so far, or the final results; null before the replay starts.',
        resolve: replay => (replay.startedAt === null ? null : replay),
      }),
      codes: t.stringList({
        nullable: false,
        description: 'The error codes of the events to replay.',
        resolve: replay => requestOf(replay).codes,
      }),
      group: t.string({
        description:
          'The key of the `RejectedEventGroup` to replay; null if the replay covers all groups.',
        resolve: replay => requestOf(replay).group,
      }),
      hash: t.string({
        description: 'The hash of the event to replay; null if the replay covers several events.',
        resolve: replay => requestOf(replay).hash,
      }),
      since: t.field({
        type: 'DateTime',
        nullable: false,
        description: 'Only events received at or after this time are replayed.',
        resolve: replay => requestOf(replay).since,
      }),
      until: t.field({
        type: 'DateTime',
        description:
          'Only events received before this time are replayed; null if the replay covers all events up to its start.',
        resolve: replay => requestOf(replay).until,
      }),
      limit: t.int({
        nullable: false,
        description: 'The maximum number of events to replay, earliest first.',
        resolve: replay => requestOf(replay).limit,
      }),
      correction: t.field({
        type: 'JSON',
        nullable: false,
        description: 'The correction applied to the events: `rename`, `drop`, `set` and `fill`.',
        resolve: replay => requestOf(replay).correction,
      }),
      ...expose(t, 'String!', {
        actorId: 'The ID of the user who requested the replay, as assigned by the token’s issuer.',
      }),
      ...expose(t, 'DateTime!', { createdAt: 'When the replay was requested.' }),
      ...expose(t, 'DateTime', {
        startedAt: 'When the latest attempt started; null before the first attempt.',
        finishedAt: 'When the replay finished; null before then.',
      }),
    }),
  },
);

const ReplayConnection = connectionType('RejectedEventsReplay', ReplayRef);

pageQuery('rejectedEventsReplays', {
  type: ReplayConnection,
  description:
    'The replays of rejected events in the viewer’s workspace. Query `node` to follow the progress of a replay.',
  page: rejectedEventsReplays.page,
});

const CorrectionInput = builder.inputType('EventCorrectionInput', {
  description:
    'A correction applied to an event before it is replayed. The operations are applied in the order `rename`, `drop`, `set`, `fill`. Each field is identified by its path, such as `properties.total`. Fields that the correction does not list remain unchanged.',
  fields: t => ({
    rename: t.field({
      type: 'JSON',
      description:
        'The fields to rename: an object that maps the path of each field to its new name, such as `{"user": "userId"}`.',
    }),
    drop: t.stringList({ description: 'The paths of the fields to remove.' }),
    set: t.field({
      type: 'JSON',
      description: `The fields to set: an object that maps the path of each field to its new value. ${FACTS_NOTE}`,
    }),
    fill: t.field({
      type: 'JSON',
      description:
        'The fields to set if they are missing or null: an object that maps the path of each field to its new value.',
    }),
  }),
});

mutation({
  name: 'rejectedEventsReplay',
  description:
    'Starts a background job that corrects rejected events in the workspace and sends them to ingest again. Each event keeps the times at which it was originally sent and received. Events are deduplicated, so replaying an event that has already been accepted has no effect. Events that are rejected again stay in `rejectedEvents`.',
  access: 'owner',
  input: t => ({
    codes: t.stringList({
      required: true,
      description: 'The error codes of the rejected events to replay.',
    }),
    group: t.string({ description: 'Replays only the `RejectedEventGroup` with this `key`.' }),
    hash: t.string({ description: 'Replays only the event with this `hash`.' }),
    since: t.field({
      type: 'DateTime',
      required: true,
      description: 'Replays events received at or after this time.',
    }),
    until: t.field({
      type: 'DateTime',
      description: 'Replays events received before this time. Defaults to the start of the replay.',
    }),
    limit: t.int({
      required: true,
      defaultValue: REPLAY_EVENTS_DEFAULT,
      description: `The maximum number of events to replay, earliest first. At most ${REPLAY_EVENTS_MAX}.`,
    }),
    correction: t.field({
      type: CorrectionInput,
      description:
        'The correction to apply to each event. If omitted, events are replayed unchanged.',
    }),
    dryRun: t.boolean({
      required: true,
      defaultValue: false,
      description: 'Whether to return the expected results immediately, without storing anything.',
    }),
  }),
  contract: rejectedEventsReplayContract,
  codes: ['INVALID_RANGE', 'TOO_MANY_REPLAYS'],
  action: rejectedEventsReplay,
  payload: t => ({
    replay: t.field({
      type: ReplayRef,
      description: 'The requested replay; null for a dry run.',
      resolve: ({ result }, _args, graph) =>
        result?.id === undefined ? null : replayById(graph, result.id),
    }),
    dryRun: t.field({
      type: ReportRef,
      description: `The expected results for the first ${TRIED_MAX} events; null unless this is a dry run.`,
      complexity: reportCost(TRY_QUESTIONS),
      // Runs after the action's transaction, so that no transaction waits for ingest.
      resolve: ({ result }, _args, { context }) =>
        result?.dryRun && tryReplay(context, replayContract.parse(result.dryRun)),
    }),
  }),
});

/** The replay request, stored as the JSON that `replayContract` parses. */
function requestOf({ request }: RejectedEventsReplay): ReplayRequest {
  return replayContract.parse(request);
}
