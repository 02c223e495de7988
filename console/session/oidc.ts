// Sign-in at the identity provider: authorization code with PKCE. Loaded only when it is needed,
// because the library would make the first load larger.

import * as oauth from 'oauth4webapi';
import type { IdentityProvider } from './identity-provider.ts';
import type { Grant, Session } from './session.ts';
import { SignInError } from './sign-in-error.ts';

/** What must be known again when the provider sends the viewer back. */
type Pending = {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly returnPath: string;
};

const PENDING_KEY = 'console-sign-in';
const TIMEOUT_MS = 10_000;
/** The format that the API expects: three base64url parts. */
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]*$/;

const base = import.meta.env.BASE_URL.replace(/\/$/, '');
const redirectUri = () => `${location.origin}${base}/signed-in`;

/** Leaves the page for the provider's. */
export async function beginSignIn(provider: IdentityProvider, returnPath: string): Promise<void> {
  const server = await discover(provider);
  if (server.authorization_endpoint === undefined) throw new SignInError('refused');
  const pending: Pending = {
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    verifier: oauth.generateRandomCodeVerifier(),
    returnPath,
  };
  sessionStorage.setItem(PENDING_KEY, JSON.stringify(pending));
  const url = new URL(server.authorization_endpoint);
  const parameters = {
    client_id: provider.clientId,
    response_type: 'code',
    redirect_uri: redirectUri(),
    scope: provider.scope,
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
    ...targetOf(provider),
    // Auth0 has a name of its own for the resource.
    ...(provider.audience !== undefined && { audience: provider.audience }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  location.assign(url);
}

type SignedIn = { readonly session: Session; readonly returnPath: string };

/** At the address to which the provider sent the viewer back. The pending record is used up. */
export async function finishSignIn(provider: IdentityProvider, here: URL): Promise<SignedIn> {
  const kept = sessionStorage.getItem(PENDING_KEY);
  sessionStorage.removeItem(PENDING_KEY);
  const pending = kept === null ? undefined : (JSON.parse(kept) as Pending);
  if (pending === undefined || here.searchParams.get('state') !== pending.state)
    throw new SignInError('mismatch');
  const server = await discover(provider);
  const client = { client_id: provider.clientId };
  const asked = await answerOf(async () => {
    const parameters = oauth.validateAuthResponse(server, client, here, pending.state);
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      parameters,
      redirectUri(),
      pending.verifier,
      { ...optionsOf(provider), additionalParameters: targetOf(provider) },
    );
    return oauth.processAuthorizationCodeResponse(server, client, answer, {
      expectedNonce: pending.nonce,
      requireIdToken: true,
    });
  });
  return { session: sessionOf(asked), returnPath: pending.returnPath };
}

/** The same session with a new token. */
export async function renewSession(provider: IdentityProvider, session: Session): Promise<Session> {
  const server = await discover(provider);
  const client = { client_id: provider.clientId };
  const answer = await oauth.refreshTokenGrantRequest(
    server,
    client,
    oauth.None(),
    session.grant!.refreshToken!,
    { ...optionsOf(provider), additionalParameters: targetOf(provider) },
  );
  const renewed = sessionOf(await oauth.processRefreshTokenResponse(server, client, answer));
  // Some providers send the refresh token and the ID token only once.
  return { ...session, ...renewed, grant: { ...session.grant, ...renewed.grant } };
}

/** Undefined if the provider has no page for it. */
export async function signOutUrl(
  provider: IdentityProvider,
  { grant }: Session,
): Promise<URL | undefined> {
  const { end_session_endpoint: endpoint } = await discover(provider);
  if (endpoint === undefined || grant?.idToken === undefined) return undefined;
  const url = new URL(endpoint);
  url.searchParams.set('id_token_hint', grant.idToken);
  url.searchParams.set('client_id', provider.clientId);
  url.searchParams.set('post_logout_redirect_uri', `${location.origin}${base}`);
  return url;
}

async function discover(provider: IdentityProvider): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(provider.issuer);
  try {
    const answer = await oauth.discoveryRequest(issuer, optionsOf(provider));
    return await oauth.processDiscoveryResponse(issuer, answer);
  } catch (cause) {
    throw new SignInError('unreachable', { cause });
  }
}

/** The API accepts an issuer over http only on the same machine. */
function optionsOf({ issuer }: IdentityProvider) {
  return {
    [oauth.allowInsecureRequests]: issuer.startsWith('http:'),
    signal: () => AbortSignal.timeout(TIMEOUT_MS),
  };
}

/** Of RFC 8707. Without it, some providers issue tokens that only they can read. */
function targetOf({ audience }: IdentityProvider): Record<string, string> {
  return audience === undefined ? {} : { resource: audience };
}

async function answerOf(
  ask: () => Promise<oauth.TokenEndpointResponse>,
): Promise<oauth.TokenEndpointResponse> {
  try {
    return await ask();
  } catch (cause) {
    throw new SignInError(faultOf(cause), { cause });
  }
}

function faultOf(cause: unknown): SignInError['fault'] {
  if (cause instanceof oauth.AuthorizationResponseError)
    return cause.error === 'access_denied' ? 'denied' : 'refused';
  // fetch throws a TypeError without a code when nothing answers, and a DOMException after the timeout.
  const isNetwork = cause instanceof TypeError && !('code' in cause && cause.code !== undefined);
  if (isNetwork || cause instanceof DOMException) return 'unreachable';
  return 'refused';
}

function sessionOf(answer: oauth.TokenEndpointResponse): Session {
  if (!TOKEN.test(answer.access_token)) throw new SignInError('opaque-token');
  const { expires_in: seconds, refresh_token: refreshToken, id_token: idToken } = answer;
  const grant: Grant = {
    ...(seconds !== undefined && { expiresAtMs: Date.now() + seconds * 1000 }),
    ...(refreshToken !== undefined && { refreshToken }),
    ...(idToken !== undefined && { idToken }),
  };
  return { token: answer.access_token, grant };
}
