import type { Context } from '../context.ts';
import { workspaceOf } from '../permit.ts';

/**
 * The points that one ClickHouse query costs, or one that reads all contacts in Postgres, in addition to the
 * returned objects.
 */
export const QUESTION_POINTS = 20;

/** Queries the data of the viewer's workspace. */
export async function ask<Row>(
  context: Context,
  query: string,
  parameters: Readonly<Record<string, unknown>> = {},
): Promise<Row[]> {
  const { viewer, deps } = context;
  const workspaceId = workspaceOf(viewer);
  const { organizationId } = viewer!;
  countQuestion(context);
  const question = { organizationId, workspaceId, query, parameters };
  return inCamelCase(await deps.warehouses.ask<object>(question)) as Row[];
}

/** Charges the request QUESTION_POINTS. */
export function countQuestion(context: Context): void {
  context.note({ reportQuestions: questionsOf(context) + 1 });
}

/** The number of queries of the request so far that cost QUESTION_POINTS. */
export function questionsOf({ notes }: Pick<Context, 'notes'>): number {
  return Number(notes.reportQuestions ?? 0);
}

/** With column names in camelCase. All rows have the same columns in the same order. */
function inCamelCase(rows: readonly object[]): object[] {
  const names = Object.keys(rows[0] ?? {}).map(column =>
    column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  );
  return rows.map(row =>
    Object.fromEntries(Object.values(row).map((value, at) => [names[at], value])),
  );
}
