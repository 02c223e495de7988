import { rowsOf, sql } from '../platform/database/kysely.ts';
import { workspaceOf } from '../platform/permit.ts';
import { reject } from '../platform/rejected.ts';
import type { ActionScope } from '../platform/run-action.ts';

type Requirement = {
  /** The field of the input that names the segments. */
  readonly field: string;
  /** Whether members must have been evaluated, because the segments are about to be used. */
  readonly isUsed: boolean;
};

/**
 * Requires segments of the viewer's workspace that are not archived. They cannot be archived until the
 * transaction ends.
 */
export async function requireSegments(
  { em, viewer }: ActionScope,
  segmentIds: readonly string[],
  { field, isUsed }: Requirement,
): Promise<void> {
  if (segmentIds.length === 0) return;
  const found = await rowsOf(
    em,
    sql<{ id: string; isEvaluated: boolean }>`
      SELECT id, evaluated_at IS NOT NULL AS is_evaluated FROM segments
      WHERE id = ANY(${segmentIds}::uuid[]) AND workspace_id = ${workspaceOf(viewer)}
        AND archived_at IS NULL
      ORDER BY id FOR SHARE`,
  );
  const missing = segmentIds.find(id => found.every(segment => segment.id !== id));
  if (missing !== undefined)
    reject('NOT_FOUND', {
      field: [field],
      message: `The segment ${missing} does not exist or is archived.`,
    });
  if (isUsed && found.some(({ isEvaluated }) => !isEvaluated))
    reject('SEGMENT_NOT_READY', { field: [field] });
}
