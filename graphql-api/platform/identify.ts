import { isUuid } from '../../schema/values/uuid.ts';
import type { RefusedAccess } from './refused-access.ts';
import { type Rejection, rejection } from './rejected.ts';
import type { Claims, VerifyToken } from './verify-token.ts';
import type { Viewer } from './viewer.ts';

/** Has neither if no token was sent. */
type Identity =
  | { readonly viewer?: Viewer; readonly refusal?: undefined }
  | { readonly viewer?: undefined; readonly refusal: Rejection };

/** The workspaces of organizations. */
export type Workspaces = {
  isOf(organizationId: string, workspaceId: string): Promise<boolean>;
  /** Undefined if there are none or several. */
  onlyOf(organizationId: string): Promise<string | undefined>;
};

export type Identify = (headers: Pick<Headers, 'get'>) => Promise<Identity>;

/** Limits the work of verifying the signature of a bogus token. */
const TOKEN_LENGTH_MAX = 8_192;
const BEARER = /^Bearer +([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*) *$/i;
/** Precedes the UUID in a workspace's global ID (platform/graph/node-id.ts). */
const WORKSPACE_NODE = 'Workspace:';
/** Longer than any global ID of a workspace. */
const NODE_ID_LENGTH_MAX = 128;

/**
 * Identifies the viewer by the bearer token; cookies are never read. The workspace comes from the token,
 * otherwise from X-Workspace-ID (its UUID, or its global ID in GraphQL), otherwise it is the only
 * one of the organization. A workspace of another organization is treated like one that does not exist.
 */
export function createIdentify(
  verifyToken: VerifyToken,
  workspaces: Workspaces,
  refused: RefusedAccess,
): Identify {
  return async headers => {
    const authorization = headers.get('authorization');
    if (authorization === null) return {};
    const token = BEARER.exec(authorization)?.[1];
    const claims =
      token === undefined || authorization.length > TOKEN_LENGTH_MAX
        ? undefined
        : await verifyToken(token);
    if (claims === undefined) return { refusal: rejection('UNAUTHENTICATED') };
    const reason = await refused.reasonFor(claims);
    if (reason !== undefined) return { refusal: rejection(reason) };
    return addWorkspace(claims, headers.get('x-workspace-id') ?? undefined, workspaces);
  };
}

async function addWorkspace(
  claims: Claims,
  named: string | undefined,
  workspaces: Workspaces,
): Promise<Identity> {
  const { userId, organizationId, roles, expiresAtMs: tokenExpiresAtMs } = claims;
  const wanted = named === undefined ? undefined : workspaceIdIn(named);
  const isOther =
    claims.workspaceId !== undefined && (wanted ?? claims.workspaceId) !== claims.workspaceId;
  const workspaceId = claims.workspaceId ?? wanted ?? (await workspaces.onlyOf(organizationId));
  const viewer = { userId, organizationId, workspaceId, roles, tokenExpiresAtMs };
  if (workspaceId === undefined) return { viewer };
  if (isOther || !isUuid(workspaceId) || !(await workspaces.isOf(organizationId, workspaceId))) {
    return { refusal: rejection('WORKSPACE_FORBIDDEN') };
  }
  return { viewer };
}

function workspaceIdIn(named: string): string {
  if (isUuid(named)) return named.toLowerCase();
  const inside = Buffer.from(named.slice(0, NODE_ID_LENGTH_MAX), 'base64url').toString('latin1');
  return inside.startsWith(WORKSPACE_NODE) ? inside.slice(WORKSPACE_NODE.length) : named;
}
