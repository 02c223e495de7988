// GET /internal/tail?workspace_id=…&after=…: the latest events of one workspace, for the live view
// of the control plane. A long poll that returns as soon as there are events, or after a second.
// Repeated requests keep the workspace, and no other, watched.

import { z } from 'zod';
import { problem } from '../../schema/values/problem.ts';
import { RETRY_AFTER_SECONDS } from '../limits.ts';
import { type InternalEndpointDeps, internalEndpoint } from './internal-endpoint.ts';
import { jsonTextReply, problemReply } from './reply.ts';
import type { Endpoint } from './server.ts';

export type InternalTailDeps = InternalEndpointDeps & {
  /** Resolves to the text of the response; undefined if too many workspaces are watched. */
  readonly askTail: (workspaceId: string, after: string) => Promise<string | undefined>;
};

export function internalTailEndpoint(deps: InternalTailDeps): Endpoint {
  const work = async (query: string, isKnown: (workspaceId: string) => boolean) => {
    const parsed = contract.safeParse(Object.fromEntries(new URLSearchParams(query)));
    if (!parsed.success) {
      const { path, message } = parsed.error.issues[0]!;
      return problemReply(problem('INVALID_FIELD', `${path.join('.') || 'The query'}: ${message}`));
    }
    const { workspace_id, after } = parsed.data;
    if (!isKnown(workspace_id)) return problemReply(problem('WORKSPACE_NOT_FOUND'));
    const text = await deps.askTail(workspace_id, after);
    return text === undefined ? problemReply(TOO_MANY) : jsonTextReply(200, text, []);
  };
  return internalEndpoint(
    deps,
    ({ query }, _body, directory) => work(query, id => directory.workspaceOf(id) !== undefined),
    ['GET'],
  );
}

const TOO_MANY = problem(
  'UNAVAILABLE',
  'Too many workspaces are being watched at once; retry later.',
  RETRY_AFTER_SECONDS,
);

const contract = z.strictObject({
  workspace_id: z.guid().transform(id => id.toLowerCase()),
  after: z.string().max(100).default(''),
});
