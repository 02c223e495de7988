import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const TIMELINE = graphql(`
  query UserTimeline(
    $userId: String, $anonymousId: String, $range: ReportRange!, $kinds: [TimelineKind!],
    $first: Int!, $after: String
  ) {
    userTimeline(
      userId: $userId, anonymousId: $anonymousId, range: $range, kinds: $kinds,
      first: $first, after: $after
    ) {
      nodes {
        __typename
        at
        ... on TimelineEvent {
          event {
            type event name messageId sessionId anonymousId receivedAt
            properties traits context extra
          }
        }
        ... on TimelineDelivery { channel status campaignId messageId platform metadata }
        ... on TimelineCard { cardKind channel campaignId messageId platform details }
        ... on TimelineInAppEvent { eventType campaignId variantId platform }
        ... on TimelineInAppResponse { responseType score campaignId variantId platform payload }
        ... on TimelineSend {
          channel
          journey { id name }
          version { id number language template { id name } }
        }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

/** The names of campaigns by the ID that SDKs report. */
export const CAMPAIGN_NAMES = graphql(`
  query CampaignNames { campaigns(first: 100) { nodes { id sdkId name } } }
`);

export type TimelinePage = NonNullable<ResultOf<typeof TIMELINE>['userTimeline']>;
export type Item = TimelinePage['nodes'][number];
export type Campaigns = ReadonlyMap<string, { readonly id: string; readonly name: string }>;
