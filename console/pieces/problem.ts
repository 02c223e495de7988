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
  [TOKEN_REFUSED]: 'Your access token is invalid or has expired',
  FORBIDDEN: 'Your role doesn’t allow this',
  WORKSPACE_REQUIRED: 'Choose a workspace to continue',
  WORKSPACE_FORBIDDEN: 'You don’t have access to this workspace',
  THROTTLED: 'Too many requests',
};

export function problemOf(error: CombinedError): ProblemText {
  const [first] = error.graphQLErrors;
  if (first === undefined)
    return {
      title: 'Can’t reach the service',
      detail: 'It may be restarting, or you may be offline.',
    };
  const { requestId, ...named } = first.extensions as Partial<Record<string, string>>;
  // GraphQL's few codes say less than the API's own table.
  const code = named.reason ?? named.code;
  return {
    title: TITLES[code ?? ''] ?? 'Something went wrong',
    detail: first.message,
    ...(code !== undefined && { code }),
    ...(requestId !== undefined && { requestId }),
  };
}
