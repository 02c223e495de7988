import type { Context } from '../context.ts';
import { workspaceOf } from '../permit.ts';

/** The points that one ClickHouse query costs, in addition to the returned objects. */
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
  context.note({ reportQuestions: questionsOf(context) + 1 });
  return deps.warehouses.ask<Row>({ organizationId, workspaceId, query, parameters });
}

/** The number of ClickHouse queries of the request so far. */
export function questionsOf({ notes }: Pick<Context, 'notes'>): number {
  return Number(notes.reportQuestions ?? 0);
}
