import { z } from 'zod';
import type { AuthConfig } from '../platform/config.ts';
import { ROLES, type Role } from '../platform/viewer.ts';

export const DEFAULT_ISSUER = 'engagement-service';
export const DEFAULT_AUDIENCE = 'engagement-service-api';

type Environment = Readonly<Record<string, string | undefined>>;

/** RFC 7518 requires an HS256 secret to be at least as long as the hash. */
const SECRET_BYTES_MIN = 32;
const ROLES_FORM = {
  code: 'custom',
  message: `must be pairs such as admin:owner,staff:platform_admin; each must have one of the roles ${ROLES.join(', ')}`,
} as const;

const secret = z
  .string()
  .refine(text => Buffer.byteLength(text) >= SECRET_BYTES_MIN, {
    error: `must have at least ${SECRET_BYTES_MIN} bytes`,
  })
  .optional();

export const AUTH_VARIABLES = {
  AUTH_ISSUER: z.string().default(DEFAULT_ISSUER),
  AUTH_AUDIENCE: z.string().default(DEFAULT_AUDIENCE),
  AUTH_JWT_SECRET: secret,
  AUTH_JWT_SECRET_PREVIOUS: secret,
  AUTH_JWKS_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
  AUTH_CLAIM_ORG: z.string().default('org_id'),
  AUTH_CLAIM_ROLES: z.string().default('roles'),
  AUTH_CLAIM_WORKSPACE: z.string().default('workspace_id'),
  AUTH_ROLES: z
    .string()
    .transform((text, context) => {
      const pairs = text.split(',').map(rolePair);
      if (pairs.every(pair => pair !== undefined)) return pairs;
      context.addIssue(ROLES_FORM);
      return z.NEVER;
    })
    .optional(),
};

export function authProblems(given: Environment): string[] {
  const hasSecret = given.AUTH_JWT_SECRET !== undefined;
  if (given.AUTH_JWT_SECRET_PREVIOUS !== undefined && !hasSecret)
    return ['AUTH_JWT_SECRET_PREVIOUS: must be set together with AUTH_JWT_SECRET'];
  if (hasSecret && given.AUTH_JWKS_URL !== undefined)
    return ['AUTH_JWT_SECRET: set only one of AUTH_JWT_SECRET and AUTH_JWKS_URL, not both'];
  if (hasSecret || hasPublicKeys(given)) return [];
  return [
    'AUTH_JWT_SECRET: set this variable or AUTH_JWKS_URL, or set AUTH_ISSUER to the URL of an identity provider',
  ];
}

/** Whether tokens are signed by an issuer that publishes its keys. */
export function hasPublicKeys(given: Environment): boolean {
  if (given.AUTH_JWKS_URL?.trim()) return true;
  return !given.AUTH_JWT_SECRET?.trim() && /^https?:\/\//.test(given.AUTH_ISSUER?.trim() ?? '');
}

type Values = z.output<z.ZodObject<typeof AUTH_VARIABLES>>;

export function authConfig(values: Values): AuthConfig {
  return {
    issuer: values.AUTH_ISSUER,
    audience: values.AUTH_AUDIENCE,
    keys: keysOf(values),
    claims: {
      organization: values.AUTH_CLAIM_ORG,
      roles: values.AUTH_CLAIM_ROLES,
      workspace: values.AUTH_CLAIM_WORKSPACE,
    },
    roles: new Map(values.AUTH_ROLES ?? ROLES.map(role => [role, role])),
  };
}

function keysOf(values: Values): AuthConfig['keys'] {
  const { AUTH_JWT_SECRET: current, AUTH_JWT_SECRET_PREVIOUS: previous } = values;
  if (current !== undefined)
    return { kind: 'secret', secrets: previous === undefined ? [current] : [current, previous] };
  if (values.AUTH_JWKS_URL !== undefined) return { kind: 'jwks', url: values.AUTH_JWKS_URL };
  return { kind: 'discovery' };
}

/** Split at the last colon, because an issuer's role can be a URN. */
function rolePair(text: string): [string, Role] | undefined {
  const at = text.lastIndexOf(':');
  const name = text.slice(0, at).trim();
  const role = ROLES.find(known => known === text.slice(at + 1).trim());
  return at > 0 && name !== '' && role !== undefined ? [name, role] : undefined;
}
