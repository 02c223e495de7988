// What the endpoints for the control plane share: its credential instead of a write key, no caps, no
// origins, and a workspace that the request names. Neither the front nor a proxy forwards them.

import { createHash, timingSafeEqual } from 'node:crypto';
import { type Problem, problem } from '../../schema/values/problem.ts';
import type { Directory, WorkspaceEntry } from '../authenticate/directory.ts';
import type { Clock } from '../clock.ts';
import { RETRY_AFTER_SECONDS } from '../limits.ts';
import type { Metrics } from '../observe/metrics.ts';
import { SpoolFailure } from '../spool/spool-failure.ts';
import type { SpoolLog } from '../spool/spool-log.ts';
import { type CellOf, cellRefusal } from './cell-refusal.ts';
import type { Incoming } from './incoming.ts';
import { problemReply, type Reply } from './reply.ts';
import type { Endpoint } from './server.ts';

export type InternalEndpointDeps = {
  /** Undefined where none is configured: then there are no such endpoints. */
  readonly internalToken: string | undefined;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** Undefined until the directory has been loaded. */
  readonly directory: () => Directory | undefined;
  readonly isDraining: () => boolean;
  readonly pipeline: CellOf;
  /** A failed write to the spool: the sender retries. */
  readonly onUnavailable: (error: unknown) => void;
};

const UNAVAILABLE = problem('UNAVAILABLE', undefined, RETRY_AFTER_SECONDS);

/** A request with the internal credential. `work` is not called while the process may not take rows. */
export function internalEndpoint(
  deps: InternalEndpointDeps & { readonly internalToken: string },
  work: (incoming: Incoming, body: Buffer, directory: Directory) => Reply | Promise<Reply>,
  methods: Endpoint['methods'] = ['POST'],
): Endpoint {
  const expected = digest(deps.internalToken);
  const handle = async (incoming: Incoming, body: Buffer) => {
    // Digests, since the comparison takes equal lengths only.
    if (!timingSafeEqual(digest(incoming.writeKey), expected))
      return problemReply(problem('UNAUTHENTICATED'));
    const directory = deps.directory();
    if (deps.isDraining() || directory === undefined) return problemReply(UNAVAILABLE);
    try {
      return await work(incoming, body, directory);
    } catch (error) {
      if (!(error instanceof SpoolFailure)) throw error;
      deps.onUnavailable(error);
      return problemReply(UNAVAILABLE);
    }
  };
  return { methods, handle };
}

/** Where a workspace's rows go, or why they can't now. */
export function logOf(
  { pipeline }: InternalEndpointDeps,
  workspace: WorkspaceEntry,
): SpoolLog | Problem {
  const refusal = cellRefusal(pipeline, workspace);
  if (refusal !== undefined) return refusal;
  return pipeline(workspace.cell.slug)?.writableLog() ?? UNAVAILABLE;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
