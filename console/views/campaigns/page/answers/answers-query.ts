import { graphql, type ResultOf } from '../../../../graph/graphql.ts';

export const NPS = graphql(`
  query CampaignNps($campaignId: String!, $range: ReportRange!) {
    npsByDay(campaignId: $campaignId, range: $range) {
      day responses promoters passives detractors
    }
  }
`);

export const QUESTIONS = graphql(`
  query CampaignAnswers($campaignId: String!, $range: ReportRange!) {
    campaignAnswers(campaignId: $campaignId, range: $range) {
      responseType question responseCount answerCount answers { answer responseCount }
    }
  }
`);

export const RESPONSES = graphql(`
  query CampaignResponses($campaignId: String!, $range: ReportRange!, $after: String) {
    campaignResponses(campaignId: $campaignId, range: $range, first: 25, after: $after) {
      nodes { responseKey receivedAt responseType userId contactId variantId payload }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type NpsDay = NonNullable<ResultOf<typeof NPS>['npsByDay']>[number];
export type Question = NonNullable<ResultOf<typeof QUESTIONS>['campaignAnswers']>[number];
export type Response = NonNullable<
  ResultOf<typeof RESPONSES>['campaignResponses']
>['nodes'][number];
