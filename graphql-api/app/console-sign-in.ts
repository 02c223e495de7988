import { z } from 'zod';
import type { ConsoleSignIn } from '../platform/config.ts';
import { isLoopbackName } from '../webhooks/dispatch/url.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The scope that every sign-in with OpenID Connect requires. */
const OPENID = 'openid';

export const CONSOLE_VARIABLES = {
  CONSOLE_OIDC_ISSUER: z
    .string()
    .refine(isIssuer, {
      error:
        'must be an https URL without a query (http is allowed only for an issuer on this machine)',
    })
    .optional(),
  CONSOLE_OIDC_CLIENT_ID: z.string().optional(),
  CONSOLE_OIDC_SCOPE: z
    .string()
    .refine(text => text.split(' ').includes(OPENID), { error: `must contain ${OPENID}` })
    .default(OPENID),
  CONSOLE_OIDC_AUDIENCE: z.string().optional(),
};

export function consoleSignInProblems(given: Environment): string[] {
  if (Boolean(given.CONSOLE_OIDC_ISSUER) !== Boolean(given.CONSOLE_OIDC_CLIENT_ID))
    return ['CONSOLE_OIDC_ISSUER: must be set together with CONSOLE_OIDC_CLIENT_ID'];
  if (given.CONSOLE_OIDC_ISSUER) return [];
  return (['CONSOLE_OIDC_SCOPE', 'CONSOLE_OIDC_AUDIENCE'] as const)
    .filter(name => given[name])
    .map(name => `${name}: must be set together with CONSOLE_OIDC_ISSUER`);
}

type Values = z.output<z.ZodObject<typeof CONSOLE_VARIABLES>>;

/** Undefined: users sign in to the console with an existing access token. */
export function consoleSignIn(values: Values): ConsoleSignIn | undefined {
  const { CONSOLE_OIDC_ISSUER: issuer, CONSOLE_OIDC_CLIENT_ID: clientId } = values;
  if (issuer === undefined || clientId === undefined) return undefined;
  return {
    issuer,
    clientId,
    scope: values.CONSOLE_OIDC_SCOPE,
    audience: values.CONSOLE_OIDC_AUDIENCE,
  };
}

/** Over http, anyone on the network path could read the tokens. */
function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '') return false;
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && isLoopbackName(url.hostname.replace(/^\[|\]$/g, ''));
}
