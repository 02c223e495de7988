import { graphql, type ResultOf } from '../../../graph/graphql.ts';

export const RULES = graphql(`
  query RetentionRules($after: String) {
    retentionRules(first: 20, after: $after) {
      nodes { id dataset keepDays effectiveAt lastRunAt deletedRows }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export const RULE_SET = graphql(`
  mutation RetentionRuleSet($input: RetentionRuleSetInput!) {
    retentionRuleSet(input: $input) {
      rule { id dataset keepDays effectiveAt }
      userErrors { message field }
    }
  }
`);

export const RULE_REMOVE = graphql(`
  mutation RetentionRuleRemove($id: ID!) {
    retentionRuleRemove(id: $id) { isRemoved userErrors { message field } }
  }
`);

export const RULE_PREVIEW = graphql(`
  query RetentionPreview($dataset: Dataset!, $keepDays: Int!) {
    retentionPreview(dataset: $dataset, keepDays: $keepDays) { rows firstDay lastDay }
  }
`);

export type Rule = ResultOf<typeof RULES>['retentionRules']['nodes'][number];
export type Dataset = Rule['dataset'];

export const DATASETS: Record<Dataset, string> = {
  EVENTS: 'Events',
  REJECTED_EVENTS: 'Rejected events',
  DELIVERIES: 'Deliveries',
  ACTIVITY_CARDS: 'Activity cards',
  IN_APP_EVENTS: 'In-app interactions',
  IN_APP_RESPONSES: 'In-app responses',
  SEND_AUDITS: 'Sends',
};
