// Common parts of the endpoints for the control plane: an internal credential instead of a write
// key, no caps, no origins, and the workspace as a parameter. The front and the proxies do not
// forward these endpoints.

import { createHash, timingSafeEqual } from 'node:crypto';
import { type Problem, problem } from '../../schema/values/problem.ts';
import type { EventLog } from '../accept/event-log.ts';
import { NotDurable } from '../accept/not-durable.ts';
import type { Directory, WorkspaceEntry } from '../authenticate/directory.ts';
import type { Clock } from '../clock.ts';
import type { Metrics } from '../observe/metrics.ts';
import { type CellOf, cellRefusal, UNAVAILABLE, writableLog } from './cell-refusal.ts';
import type { Incoming } from './incoming.ts';
import { problemReply, type Reply } from './reply.ts';
import type { Endpoint } from './server.ts';

export type InternalEndpointDeps = {
  /**
   * Any of these credentials is accepted, so that they can be rotated. If there are none, these endpoints do
   * not exist.
   */
  readonly internalTokens: readonly string[];
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** Undefined until the directory has been loaded. */
  readonly directory: () => Directory | undefined;
  readonly isDraining: () => boolean;
  readonly pipeline: CellOf;
  /** Called after a failed write to the spool. The sender retries. */
  readonly onUnavailable: (error: unknown) => void;
};

/**
 * Authenticates a request with the internal credential. `work` is not called while the process
 * cannot accept rows.
 */
export function internalEndpoint(
  deps: InternalEndpointDeps,
  work: (incoming: Incoming, body: Buffer, directory: Directory) => Reply | Promise<Reply>,
  methods: Endpoint['methods'] = ['POST'],
): Endpoint {
  const handle = async (incoming: Incoming, body: Buffer) => {
    if (!isOneOf(deps.internalTokens, incoming.writeKey))
      return problemReply(problem('UNAUTHENTICATED'));
    const directory = deps.directory();
    if (deps.isDraining() || directory === undefined) return problemReply(UNAVAILABLE);
    try {
      return await work(incoming, body, directory);
    } catch (error) {
      if (!(error instanceof NotDurable)) throw error;
      deps.onUnavailable(error);
      return problemReply(UNAVAILABLE);
    }
  };
  return { methods, handle };
}

/** The log for a workspace's rows, or why it accepts none now. */
export function logOf(
  { pipeline }: InternalEndpointDeps,
  workspace: WorkspaceEntry,
): EventLog | Problem {
  const refusal = cellRefusal(pipeline, workspace);
  if (refusal !== undefined) return refusal;
  return writableLog(pipeline, workspace) ?? UNAVAILABLE;
}

function isOneOf(tokens: readonly string[], given: string): boolean {
  // Compares digests, because the comparison requires equal lengths.
  const sent = digest(given);
  for (const token of tokens) if (timingSafeEqual(sent, digest(token))) return true;
  return false;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
