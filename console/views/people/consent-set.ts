import { graphql } from '../../graph/graphql.ts';

export const CONSENT_SET = graphql(`
  mutation ConsentSet($id: ID!, $input: ConsentSetInput!) {
    consentSet(id: $id, input: $input) {
      contact { id consents { purpose status source recordedAt } }
      userErrors { message field }
    }
  }
`);

/** Where consents that are changed here were collected, unless another source is given. */
export const CONSOLE_SOURCE = 'console';
