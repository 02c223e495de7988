// The error message of the API, and the repetition of queries whose error is temporary.

import { useEffect, useEffectEvent } from 'react';
import type { CombinedError } from 'urql';
import { afterPause } from './after-pause.ts';

export type ProblemText = {
  readonly title: string;
  readonly detail: string;
  /** The API's stable name of it, for a report. */
  readonly code?: string;
  readonly requestId?: string;
};

/** Only another token mends it. */
export const TOKEN_REFUSED = 'UNAUTHENTICATED';

/** All slots for reports are taken, or the warehouse is restarting. */
const REPORT_UNAVAILABLE = 'REPORT_UNAVAILABLE';

const TITLES: Readonly<Record<string, string>> = {
  [TOKEN_REFUSED]: 'Your access token is invalid or has expired',
  FORBIDDEN: 'Your role doesn’t allow this',
  WORKSPACE_REQUIRED: 'Choose a workspace to continue',
  WORKSPACE_FORBIDDEN: 'You don’t have access to this workspace',
  THROTTLED: 'Too many requests',
  [REPORT_UNAVAILABLE]: 'Reports are not available right now',
};

const TOO_SLOW = 'The report took too long';

/** Instead of the API's message, which does not say that events are still accepted and stored. */
const LATER = 'No data is lost. Try again in a minute.';
const BY_ITSELF = 'No data is lost; the page retries by itself.';

/** If the query is repeated (`useRetry`), the text says so. */
export function problemOf(error: CombinedError, isRepeated = false): ProblemText {
  const [first] = error.graphQLErrors;
  if (first === undefined)
    return {
      title: 'Can’t reach the service',
      detail: 'It may be restarting, or you may be offline.',
    };
  const requestId = first.extensions.requestId as string | undefined;
  const code = codeOf(first);
  return {
    title: isSlow(error) ? TOO_SLOW : (TITLES[code ?? ''] ?? 'Something went wrong'),
    detail: code === REPORT_UNAVAILABLE ? (isRepeated ? BY_ITSELF : LATER) : first.message,
    ...(code !== undefined && { code }),
    ...(requestId !== undefined && { requestId }),
  };
}

/**
 * Repeats a query while its error is temporary, without the viewer doing anything. Each answer has an error of
 * its own, so the pause begins with the answer: the machine is busy.
 */
export function useRetry(error: CombinedError | undefined, retry: (() => void) | undefined): void {
  const repeat = useEffectEvent(() => retry?.());
  useEffect(() => (isTemporary(error) ? afterPause(() => repeat()) : undefined), [error]);
}

function isTemporary(error: CombinedError | undefined): boolean {
  return error?.graphQLErrors.some(one => codeOf(one) === REPORT_UNAVAILABLE) ?? false;
}

/** Whether a report took too long, as small ones also do while the machine is busy. */
export function isSlow(error: CombinedError | undefined): boolean {
  return error?.graphQLErrors.some(one => 'timeLimitSeconds' in one.extensions) ?? false;
}

/** GraphQL's few codes say less than the API's own table. */
function codeOf({ extensions }: CombinedError['graphQLErrors'][number]): string | undefined {
  const { reason, code } = extensions as Partial<Record<string, string>>;
  return reason ?? code;
}
