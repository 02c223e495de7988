import { graphql, type ResultOf } from '../../../graph/graphql.ts';

/** Only events of this endpoint can be replayed, and none that the warehouse rejected. */
export const REPLAYED_ENDPOINT = '/v1/batch';
export const NOT_REPLAYED_CODE = 'WAREHOUSE_REFUSED';
/** The maximum of the API. A replay starts with the earliest events. */
export const REPLAY_EVENTS_MAX = 100_000;

export const REPLAYABLE = graphql(`
  query RejectedReplayable($range: ReportRange!) {
    rejectedEventCodes(range: $range) { code count endpoints messages }
  }
`);

export type ReplayableReason = NonNullable<
  ResultOf<typeof REPLAYABLE>['rejectedEventCodes']
>[number];

const REPORT = graphql(`
  fragment ReplayReport on RejectedEventsReplayReport {
    found tried accepted uncorrectable
    refused { code events }
    samples { messageId code message }
  }
`);

export type Report = ResultOf<typeof REPORT>;

export const REPLAY = graphql(
  `
  mutation RejectedEventsReplay($input: RejectedEventsReplayInput!) {
    rejectedEventsReplay(input: $input) {
      dryRun { ...ReplayReport example { before after } }
      replay { id }
      userErrors { message field code }
    }
  }
`,
  [REPORT],
);

export type DryRun = NonNullable<
  NonNullable<ResultOf<typeof REPLAY>['rejectedEventsReplay']>['dryRun']
>;

const FIELDS = graphql(
  `
  fragment ReplayFields on RejectedEventsReplay {
    id actorId codes group hash since until limit correction createdAt finishedAt state
    report { ...ReplayReport }
  }
`,
  [REPORT],
);

export type Replay = ResultOf<typeof FIELDS>;
export type ReplayState = Replay['state'];

export const REPLAYS = graphql(
  `
  query RejectedEventsReplays($after: String) {
    rejectedEventsReplays(first: 25, after: $after) {
      nodes { ...ReplayFields }
      pageInfo { hasNextPage endCursor }
    }
  }
`,
  [FIELDS],
);

export const REPLAY_BY_ID = graphql(
  `
  query RejectedEventsReplayById($id: ID!) {
    node(id: $id) { __typename ...ReplayFields }
  }
`,
  [FIELDS],
);
