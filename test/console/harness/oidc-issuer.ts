// A real OpenID provider in the test's own process, with its own pages for login and consent.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';

export const CLIENT_ID = 'console';
export const AUDIENCE = 'https://api.example.com';

export type OidcIssuer = {
  readonly url: string;
  /** The console's address is known only after the API has started with the issuer's. */
  register(consoleUrl: string): Promise<void>;
  /** Of access tokens issued from now on. */
  tokenSeconds: number;
  /** False: access tokens for the API are not JWTs. */
  issuesJwts: boolean;
  /** Token requests that succeeded, by their grant type. */
  readonly grants: readonly string[];
  stop(): void;
};

export async function startOidcIssuer(): Promise<OidcIssuer> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const grants: string[] = [];
  const issuer: OidcIssuer = {
    url,
    tokenSeconds: 600,
    issuesJwts: true,
    grants,
    async register(consoleUrl) {
      const provider = new Provider(url, await configurationFor(consoleUrl, issuer));
      provider.on('grant.success', context => grants.push(String(context.oidc.params?.grant_type)));
      server.on('request', provider.callback());
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
  return issuer;
}

/** The login is the UUID of an organization, and the user is an owner in it. */
async function configurationFor(consoleUrl: string, issuer: OidcIssuer) {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const resource = () => ({
    scope: '',
    audience: AUDIENCE,
    accessTokenTTL: issuer.tokenSeconds,
    accessTokenFormat: issuer.issuesJwts ? ('jwt' as const) : ('opaque' as const),
  });
  return {
    clients: [
      {
        client_id: CLIENT_ID,
        token_endpoint_auth_method: 'none' as const,
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: [`${consoleUrl}/console/signed-in`],
        post_logout_redirect_uris: [`${consoleUrl}/console`],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'test', alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['a key of the tests'] },
    clientBasedCORS: (_context: unknown, origin: string) => origin === consoleUrl,
    issueRefreshToken: () => true,
    extraTokenClaims: (_context: unknown, token: { accountId?: string }) => ({
      org_id: token.accountId,
      roles: ['owner'],
    }),
    features: {
      resourceIndicators: { enabled: true, getResourceServerInfo: resource },
      rpInitiatedLogout: { enabled: true },
      devInteractions: { enabled: true },
    },
  };
}
