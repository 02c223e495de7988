// The error message of the API.

import type { CombinedError } from 'urql';

export type ProblemText = {
  readonly title: string;
  readonly detail: string;
  /** The API's stable name of it, for a report. */
  readonly code?: string;
  readonly requestId?: string;
};

/** Only another token mends it. */
export const TOKEN_REFUSED = 'UNAUTHENTICATED';

const TITLES: Readonly<Record<string, string>> = {
  [TOKEN_REFUSED]: 'Your token is not valid, or no longer',
  FORBIDDEN: 'Your roles do not allow this',
  WORKSPACE_REQUIRED: 'Choose a workspace first',
  WORKSPACE_FORBIDDEN: 'This workspace is not yours',
  THROTTLED: 'Too much at once',
};

export function problemOf(error: CombinedError): ProblemText {
  const [first] = error.graphQLErrors;
  if (first === undefined)
    return {
      title: 'The service does not answer',
      detail: 'It may be starting anew, or your connection is gone.',
    };
  const { requestId, ...named } = first.extensions as Partial<Record<string, string>>;
  // GraphQL's few codes say less than the API's own table.
  const code = named.reason ?? named.code;
  return {
    title: TITLES[code ?? ''] ?? 'That did not work',
    detail: first.message,
    ...(code !== undefined && { code }),
    ...(requestId !== undefined && { requestId }),
  };
}
