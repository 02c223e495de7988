export type Role = 'member' | 'owner' | 'platform_admin';

export const ROLES: readonly Role[] = ['member', 'owner', 'platform_admin'];

/** Who asks, for which tenant: the only source of either, whatever ids a request names. */
export type Viewer = {
  readonly userId: string;
  readonly organizationId: string;
  /** Undefined where the organisation has none or several and the request names none. */
  readonly workspaceId: string | undefined;
  readonly roles: ReadonlySet<Role>;
  /** Undefined for what no token of a moment stands for. */
  readonly tokenExpiresAtMs?: number | undefined;
};
