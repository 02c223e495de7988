// POST /internal/rows: rows from the control plane, for the tables that accept them. A request is
// stored as a whole or not at all; 200 means that its rows are on disk.

import { z } from 'zod';
import {
  CONTROL_PLANE_TABLES,
  type ControlPlaneTable,
  encodeRowValues,
  ROWS_MAX,
  type RowValues,
  rowFault,
} from '../../schema/rows/control-plane-rows.ts';
import { type Problem, problem } from '../../schema/values/problem.ts';
import type { Directory, WorkspaceEntry } from '../authenticate/directory.ts';
import { type InternalEndpointDeps, internalEndpoint, logOf } from './internal-endpoint.ts';
import { jsonReply, problemReply, type Reply } from './reply.ts';
import type { Endpoint } from './server.ts';

export function internalRowsEndpoint(deps: InternalEndpointDeps): Endpoint {
  return internalEndpoint(deps, async (_incoming, body, directory) => {
    const parsed = parse(body, directory);
    if ('code' in parsed) return problemReply(parsed);
    const { entry, workspace, rows } = parsed;
    const faults = rows.flatMap((row, index) => {
      const message = rowFault(entry, row);
      return message === undefined ? [] : [{ index, message }];
    });
    if (faults.length > 0) return refusal(faults);
    const log = logOf(deps, workspace);
    if ('code' in log) return problemReply(log);
    log.append(entry.table, ONLY_PARTITION, rows, (writer, row) => {
      encodeRowValues(writer, entry.table, workspace.workspaceIdBytes, row);
    });
    await log.commit();
    deps.metrics.internalRows.inc({ table: entry.table.name }, rows.length);
    return jsonReply(200, { status: 'SUCCESS', accepted: rows.length });
  });
}

/** The tables of the control plane have no partitions. */
const ONLY_PARTITION = 0;

const contract = z.strictObject({
  workspace_id: z.guid().transform(id => id.toLowerCase()),
  table: z.string(),
  rows: z.array(z.record(z.string(), z.unknown())).min(1).max(ROWS_MAX),
});

type Parsed = {
  readonly entry: ControlPlaneTable;
  readonly workspace: WorkspaceEntry;
  readonly rows: readonly RowValues[];
};

function parse(body: Buffer, directory: Directory): Parsed | Problem {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    return problem('MALFORMED_JSON');
  }
  const parsed = contract.safeParse(value);
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0]!;
    return problem('INVALID_FIELD', `${path.join('.') || 'The body'}: ${message}`);
  }
  const { workspace_id, table, rows } = parsed.data;
  const entry = CONTROL_PLANE_TABLES.get(table);
  if (entry === undefined)
    return problem('INVALID_FIELD', `The control plane cannot write to table ${table}.`);
  const workspace = directory.workspaceOf(workspace_id);
  if (workspace === undefined) return problem('WORKSPACE_NOT_FOUND');
  return { entry, workspace, rows };
}

function refusal(faults: readonly { index: number; message: string }[]): Reply {
  const message = `${faults.length} rows are not valid; nothing was stored.`;
  return problemReply(problem('INVALID_FIELD', message), { rejected: faults });
}
