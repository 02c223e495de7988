import { graphql, type ResultOf } from '../../../graph/graphql.ts';

/** The most that the API returns. Older ones appear once newer ones were retried. */
export const SHOWN_MAX = 100;

export const DEAD_LETTERS = graphql(`
  query DeadLetters($first: Int!) {
    deadLetters(first: $first) { id job attempts error data askedAt diedAt }
  }
`);

export type DeadLetter = ResultOf<typeof DEAD_LETTERS>['deadLetters'][number];

export const REDRIVE = graphql(`
  mutation DeadLetterRedrive($input: DeadLetterRedriveInput!) {
    deadLetterRedrive(input: $input) { redriven hasMore userErrors { code message field } }
  }
`);
