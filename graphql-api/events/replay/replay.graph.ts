import type { ObjectRef } from '@pothos/core';
import { builder, type SchemaTypes } from '../../platform/graph/builder.ts';
import {
  connectionOfPage,
  connectionType,
  pageArgs,
  pageCost,
} from '../../platform/graph/connection.ts';
import { loaderById } from '../../platform/graph/loader.ts';
import { mutation } from '../../platform/graph/mutation.ts';
import { reportCost } from '../../platform/graph/report-args.ts';
import { askForReplay } from './ask-for-replay.ts';
import {
  REPLAY_EVENTS_DEFAULT,
  REPLAY_EVENTS_MAX,
  type ReplayRequest,
  rejectedEventsReplayContract,
  replayContract,
} from './replay.contract.ts';
import { RejectedEventsReplay } from './replay.entity.ts';
import {
  type ReplayState,
  rejectedEventsReplaysByIds,
  rejectedEventsReplaysPage,
  unfinishedStatesByIds,
} from './replay.reads.ts';
import type { ReplayReport } from './replay-rejected.ts';
import { TRIED_MAX, TRY_QUESTIONS, tryReplay } from './try-replay.ts';

const FACTS_NOTE =
  '`@received_at` is when the event arrived, `@sent_at` when its batch was sent, `@derived` an id made of the event; `@@x` is the text `@x`.';

const replayById = loaderById(rejectedEventsReplaysByIds);
const unfinishedStateById = loaderById(unfinishedStatesByIds);

type Report = Omit<ReplayReport, 'samples'> & Partial<Pick<ReplayReport, 'samples'>>;

const RefusedAgain = builder
  .objectRef<{ code: string; events: number }>('RejectedEventsReplayRefusal')
  .implement({
    description: 'How many events were refused again for one reason.',
    authScopes: { member: true },
    fields: t => ({
      code: t.exposeString('code', { nullable: false, description: 'The reason.' }),
      events: t.exposeInt('events', { nullable: false, description: 'How many events.' }),
    }),
  });

const Sample = builder
  .objectRef<ReplayReport['samples'][number]>('RejectedEventsReplaySample')
  .implement({
    description: 'An event that was refused again.',
    authScopes: { member: true },
    fields: t => ({
      messageId: t.exposeString('messageId', { nullable: false, description: 'Its id.' }),
      code: t.exposeString('code', { nullable: false, description: 'The reason.' }),
      message: t.exposeString('message', { nullable: false, description: 'The same in words.' }),
    }),
  });

const ReportRef = builder.objectRef<Report>('RejectedEventsReplayReport').implement({
  description: 'What became of the events of a replay, or what would.',
  authScopes: { member: true },
  fields: t => ({
    found: t.exposeInt('found', {
      nullable: false,
      description: 'How many match, at most the limit.',
    }),
    tried: t.int({
      nullable: false,
      description: `How many of them were tried: so far, or at most ${TRIED_MAX} in a dry run.`,
      resolve: ({ accepted, uncorrectable, refused }) =>
        accepted + uncorrectable + Object.values(refused).reduce((sum, events) => sum + events, 0),
    }),
    accepted: t.exposeInt('accepted', {
      nullable: false,
      description: 'How many ingest accepts. Repeats are among them, and change nothing.',
    }),
    uncorrectable: t.exposeInt('uncorrectable', {
      nullable: false,
      description: 'How many the correction does not fit: a path leads through what is no object.',
    }),
    refused: t.field({
      type: [RefusedAgain],
      nullable: false,
      description: 'How many were refused again, the most frequent reason first.',
      complexity: 1,
      resolve: ({ refused }) =>
        Object.entries(refused)
          .map(([code, events]) => ({ code, events }))
          .toSorted((one, other) => other.events - one.events),
    }),
    samples: t.field({
      type: [Sample],
      nullable: false,
      description: 'Some of the refused ones; of dry runs only.',
      complexity: 1,
      resolve: ({ samples }) => samples ?? [],
    }),
  }),
});

const StateEnum = builder.enumType('RejectedEventsReplayState', {
  description: 'How far a replay is.',
  values: {
    WAITING: { description: 'It begins within about a second, or when those before it are done.' },
    RUNNING: { description: 'It is under way.' },
    COMPLETED: { description: 'All events were tried.' },
    FAILED: { description: 'It was given up after several attempts. Asking again does no harm.' },
  } satisfies Record<ReplayState, { description: string }>,
});

const ReplayRef: ObjectRef<SchemaTypes, RejectedEventsReplay> = builder.node(RejectedEventsReplay, {
  name: 'RejectedEventsReplay',
  description: 'A request that rejected events be corrected and tried again.',
  authScopes: { member: true },
  id: { resolve: ({ id }) => id },
  loadOne: (id, graph) => replayById(graph, id),
  fields: t => ({
    state: t.field({
      type: StateEnum,
      nullable: false,
      description: 'How far it is.',
      resolve: async ({ id, finishedAt }, _args, graph) =>
        finishedAt === null ? (await unfinishedStateById(graph, id))!.state : 'COMPLETED',
    }),
    report: t.field({
      type: ReportRef,
      description: 'The counts so far, or in the end; null before it begins.',
      resolve: replay => (replay.startedAt === null ? null : replay),
    }),
    codes: t.stringList({
      nullable: false,
      description: 'Which events: those that were refused for one of these reasons,',
      resolve: replay => requestOf(replay).codes,
    }),
    since: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'arrived from then on,',
      resolve: replay => requestOf(replay).since,
    }),
    until: t.field({
      type: 'DateTime',
      description: 'and before then, or before it began.',
      resolve: replay => requestOf(replay).until,
    }),
    limit: t.int({
      nullable: false,
      description: 'At most so many, the earliest first.',
      resolve: replay => requestOf(replay).limit,
    }),
    correction: t.field({
      type: 'JSON',
      nullable: false,
      description: 'What was changed about them: `rename`, `drop`, `set` and `fill`.',
      resolve: replay => requestOf(replay).correction,
    }),
    actorId: t.exposeString('actorId', {
      nullable: false,
      description: 'Who asked for it, as the issuer of the token names them.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When it was asked for.',
    }),
    startedAt: t.expose('startedAt', {
      type: 'DateTime',
      description: 'When its latest attempt began.',
    }),
    finishedAt: t.expose('finishedAt', { type: 'DateTime', description: 'When all was done.' }),
  }),
});

const ReplayConnection = connectionType('RejectedEventsReplay', ReplayRef);

builder.queryField('rejectedEventsReplays', t =>
  t.field({
    type: ReplayConnection,
    nullable: false,
    description: 'The replays of the viewer’s workspace; `node` follows one of them.',
    authScopes: { member: true },
    args: pageArgs(t.arg),
    complexity: pageCost,
    resolve: async (_root, page, { context }) =>
      connectionOfPage(await rejectedEventsReplaysPage(context, page), page),
  }),
);

const CorrectionInput = builder.inputType('EventCorrectionInput', {
  description:
    'How an event is changed before it is tried again, in this order. Fields are named by their path, such as `properties.total`; all else stays as it was sent.',
  fields: t => ({
    rename: t.field({ type: 'JSON', description: 'New names by path: `{"user": "userId"}`.' }),
    drop: t.stringList({ description: 'Paths that go.' }),
    set: t.field({ type: 'JSON', description: `Values by path. ${FACTS_NOTE}` }),
    fill: t.field({
      type: 'JSON',
      description: 'The same, only where there is nothing yet, or null.',
    }),
  }),
});

mutation({
  name: 'rejectedEventsReplay',
  description:
    'Puts rejected events of the workspace back through ingest, corrected, by a job. Each keeps the times of its first arrival, and happens once however often it is replayed; what is refused again stays where it was.',
  access: 'owner',
  input: t => ({
    codes: t.stringList({ required: true, description: 'Those that were refused for these.' }),
    since: t.field({ type: 'DateTime', required: true, description: 'That arrived from then on.' }),
    until: t.field({ type: 'DateTime', description: 'And before then; now where it is left out.' }),
    limit: t.int({
      required: true,
      defaultValue: REPLAY_EVENTS_DEFAULT,
      description: `At most so many, the earliest first: up to ${REPLAY_EVENTS_MAX}.`,
    }),
    correction: t.field({
      type: CorrectionInput,
      description: 'What is wrong with them; left out, they are tried as they are.',
    }),
    dryRun: t.boolean({
      required: true,
      defaultValue: false,
      description: 'Only says at once what would become of them; nothing is stored.',
    }),
  }),
  contract: rejectedEventsReplayContract,
  codes: ['INVALID_RANGE', 'TOO_MANY_REPLAYS'],
  action: askForReplay,
  payload: t => ({
    replay: t.field({
      type: ReplayRef,
      description: 'The replay, to be followed by its id; null of a dry run.',
      resolve: ({ result }, _args, graph) =>
        result?.id === undefined ? null : replayById(graph, result.id),
    }),
    dryRun: t.field({
      type: ReportRef,
      description: `What would become of the first ${TRIED_MAX}; null unless it is a dry run.`,
      complexity: reportCost(TRY_QUESTIONS),
      // The action's transaction is over, so that none waits for ingest.
      resolve: ({ result }, _args, { context }) =>
        result?.dryRun && tryReplay(context, replayContract.parse(result.dryRun)),
    }),
  }),
});

/** What clients asked for; the contract's own words, as JSON. */
function requestOf({ request }: RejectedEventsReplay): ReplayRequest {
  return replayContract.parse(request);
}
