import type { Context } from '../context.ts';
import { workspaceOf } from '../permit.ts';

/** What one question to ClickHouse costs a tenant, beside the objects that come back. */
export const QUESTION_POINTS = 20;

/** Asks about the viewer's workspace. */
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

/** How many questions the request has asked. */
export function questionsOf({ notes }: Pick<Context, 'notes'>): number {
  return Number(notes.reportQuestions ?? 0);
}
