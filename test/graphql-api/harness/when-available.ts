import { eventually } from '../../harness/eventually.ts';

const CODE = 'REPORT_UNAVAILABLE';

/**
 * Repeats a report that is refused because the warehouse is too busy, as clients do: all test files
 * share one. Other errors are not repeated.
 */
export async function whenAvailable<T>(
  report: () => Promise<T>,
  isUnavailable: (answer: T) => boolean,
): Promise<T> {
  const outcome = await eventually(async () => {
    try {
      const answer = await report();
      if (isUnavailable(answer)) throw new Error(CODE);
      return { answer };
    } catch (error) {
      if ((error as Error).message.includes(CODE)) throw error;
      return { error };
    }
  });
  if ('error' in outcome) throw outcome.error;
  return outcome.answer;
}

/** Of the API's answers, from GraphQL and REST. */
export function isReportUnavailable(answer: {
  readonly status: number;
  readonly text: string;
  readonly errors?: readonly { readonly extensions?: Record<string, unknown> }[] | undefined;
}): boolean {
  const { status, text, errors = [] } = answer;
  if (errors.some(({ extensions }) => extensions?.reason === CODE)) return true;
  return status === 503 && text.includes('not available for reports');
}
