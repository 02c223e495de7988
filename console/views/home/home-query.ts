import { graphql, type ResultOf } from '../../graph/graphql.ts';

/** What a new workspace still lacks, and its endpoints that fail. The newest keys can be revoked ones. */
export const SETUP = graphql(`
  query HomeSetup {
    sdkKeys(first: 20) { nodes { id name writeKey isActive lastUsedAt } }
    campaigns(first: 1) { nodes { id } }
    webhookEndpoints(first: 50) { nodes { id description url state failingSince } }
  }
`);

export type Setup = ResultOf<typeof SETUP>;

/** An empty list contains no types, so these are named to refetch it when one is created. */
export const SETUP_CONTEXT = {
  additionalTypenames: ['SdkKey', 'Campaign', 'WebhookEndpoint'],
};

export const TRAFFIC = graphql(`
  query HomeTraffic($range: ReportRange!, $timeZone: String!) {
    ingestHealth(range: $range, bucket: DAY, timeZone: $timeZone) {
      bucketStarts accepted rejected newestReceivedAt
      delay { seconds isComplete }
    }
  }
`);

export type Traffic = NonNullable<ResultOf<typeof TRAFFIC>['ingestHealth']>;
