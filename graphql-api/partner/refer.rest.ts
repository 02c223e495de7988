// The referral link, and the sign-up page of the demo. Both are public, and neither uses Postgres.

import { createRoute, z } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import type { HttpEnv } from '../platform/http-env.ts';
import { errorContract, json, type RestApp } from '../platform/rest/rest-app.ts';
import { DEFAULT_SIGN_UP_URL } from './deps.ts';
import { REFERRAL_CODE } from './referral.contract.ts';

const COOKIE = 'service_ref_code';
const COOKIE_SECONDS = 60 * 24 * 60 * 60;

export function referRoutes(app: RestApp): void {
  const refer = createRoute({
    method: 'get',
    path: '/refer/{code}',
    tags: ['Referrals'],
    operationId: 'followReferralLink',
    summary: 'Follow a referral link',
    description:
      'Redirects to the sign-up page with `?ref={code}`, whether or not the code exists. The `ref` parameter is omitted if the code is malformed.',
    security: [],
    request: {
      params: z.object({ code: z.string().meta({ example: '7KQ2MZ4TXW' }) }),
    },
    responses: {
      301: {
        description: 'A redirect to the sign-up page.',
        headers: z.object({
          Location: z.string().meta({ example: '/sign-up?ref=7KQ2MZ4TXW' }),
        }),
      },
      401: json('The request has an invalid bearer token.', errorContract),
      default: json('An internal error occurred.', errorContract),
    },
  });
  app.openAPIRegistry.registerPath(refer);
  // Every path below /refer redirects, even an empty or malformed one; it never responds with 404.
  app.get('/refer', redirect);
  app.get('/refer/*', redirect);
  app.get(DEFAULT_SIGN_UP_URL, signUpPage);
}

const redirect: MiddlewareHandler<HttpEnv> = async c => {
  const { signUpUrl } = c.var.context.deps.config;
  const code = c.req.path.slice('/refer/'.length);
  const location = REFERRAL_CODE.test(code) ? withRef(signUpUrl, code) : signUpUrl;
  c.header('Cache-Control', 'no-store');
  return c.redirect(location, 301);
};

/** A code has only URL-safe characters, so it needs no escaping. */
function withRef(url: string, code: string): string {
  const [address, ...fragment] = url.split('#') as [string, ...string[]];
  const separator = address.includes('?') ? '&' : '?';
  return [`${address}${separator}ref=${code}`, ...fragment].join('#');
}

/**
 * Stores the code until onboarding completes, as an application's own sign-up page does. The first
 * code is kept.
 */
const signUpPage: MiddlewareHandler<HttpEnv> = async (c, next) => {
  const { config } = c.var.context.deps;
  if (config.isProduction || config.signUpUrl !== DEFAULT_SIGN_UP_URL) return next();
  const ref = c.req.query('ref') ?? '';
  const kept = cookieOf(c.req.header('cookie'));
  if (kept === undefined && REFERRAL_CODE.test(ref)) {
    const isHttps = c.req.header('x-forwarded-proto') === 'https';
    const attributes = `Max-Age=${COOKIE_SECONDS}; Path=/; SameSite=Lax${isHttps ? '; Secure' : ''}`;
    c.header('Set-Cookie', `${COOKIE}=${ref}; ${attributes}`);
  }
  const code = kept ?? (REFERRAL_CODE.test(ref) ? ref : undefined);
  return c.html(pageFor(code), 200, { 'Content-Security-Policy': "default-src 'none'" });
};

/** Undefined if there is no cookie, or if its value is not a code. */
function cookieOf(header: string | undefined): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const [name, value = ''] = pair.trim().split('=');
    if (name === COOKIE && REFERRAL_CODE.test(value)) return value;
  }
  return undefined;
}

function pageFor(code: string | undefined): string {
  const text =
    code === undefined
      ? 'You opened this page without a referral code.'
      : `Your referral code is <strong>${code}</strong>.`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Sign up</title>
  </head>
  <body>
    <h1>Sign up</h1>
    <p>${text}</p>
    <p>This is a placeholder for the sign-up page of your application. When onboarding completes, the
      application sends the code to <code>POST /api/v1/referrals/attribution</code>.</p>
  </body>
</html>
`;
}
