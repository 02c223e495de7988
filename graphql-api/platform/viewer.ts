export type Role = 'member' | 'owner' | 'platform_admin';

export const ROLES: readonly Role[] = ['member', 'owner', 'platform_admin'];

/** The user and the tenant of a request. IDs in a request never change them. */
export type Viewer = {
  readonly userId: string;
  readonly organizationId: string;
  /** Undefined if the request names none and the organization has none or several. */
  readonly workspaceId: string | undefined;
  readonly roles: ReadonlySet<Role>;
  /** Undefined if the viewer was not identified by a token. */
  readonly tokenExpiresAtMs?: number | undefined;
};
