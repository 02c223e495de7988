import { PROBLEMS, type ProblemCode } from '../../../schema/values/problem.ts';
import { eventually } from '../../harness/eventually.ts';

/** Refused because a busy machine let the warehouse or Postgres exceed a timeout. */
const CODES: readonly ProblemCode[] = ['REPORT_UNAVAILABLE', 'UNAVAILABLE'];
/** In the messages of errors. The second is that of the pool of pg: nothing was run before. */
const REPEATED = ['REPORT_UNAVAILABLE', 'timeout exceeded when trying to connect'];

/**
 * Repeats a request that is refused because the warehouse or Postgres is too busy, as clients do: all
 * test files share them. Other errors are not repeated.
 */
export async function whenAvailable<T>(
  request: () => Promise<T>,
  isUnavailable: (answer: T) => boolean,
): Promise<T> {
  const outcome = await eventually(async () => {
    try {
      const answer = await request();
      if (isUnavailable(answer)) throw new Error(REPEATED[0]);
      return { answer };
    } catch (error) {
      const { message } = error as Error;
      if (REPEATED.some(text => message.includes(text))) throw error;
      return { error };
    }
  });
  if ('error' in outcome) throw outcome.error;
  return outcome.answer;
}

/** Of the API's answers, from GraphQL and REST. */
export function isUnavailable(answer: {
  readonly status: number;
  readonly text: string;
  readonly errors?: readonly { readonly extensions?: Record<string, unknown> }[] | undefined;
}): boolean {
  const { status, text, errors = [] } = answer;
  if (errors.some(({ extensions }) => CODES.includes(extensions?.reason as ProblemCode)))
    return true;
  return status === 503 && CODES.some(code => text.includes(PROBLEMS[code].title));
}
