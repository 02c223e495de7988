import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';

/** For fetching the issuer's document or keys. */
const TIMEOUT_MS = 5_000;

const discoveryDocument = z.object({
  issuer: z.string(),
  jwks_uri: z.url({ protocol: /^https?$/ }),
});

/** The public keys at this address. jose fetches them again for a key that it does not know. */
export function keysAt(url: string): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(url), { timeoutDuration: TIMEOUT_MS });
}

/** The public keys at the address in the issuer's discovery document, which is fetched for the first token. */
export function keysOfIssuer(issuer: string): JWTVerifyGetKey {
  let known: Promise<JWTVerifyGetKey> | undefined;
  return async (header, token) => {
    known ??= discover(issuer).then(keysAt);
    const asked = known;
    try {
      return await (await asked)(header, token);
    } catch (error) {
      // The document may be wrong or unavailable only for now.
      if (error instanceof errors.JWKSInvalid && known === asked) known = undefined;
      throw error;
    }
  };
}

/** Throws JWKSInvalid, which counts as a fault of the issuer and not of the token. */
async function discover(issuer: string): Promise<string> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    const document = discoveryDocument.parse(await answer.json());
    // Otherwise tokens of another issuer could be accepted (OpenID Connect Discovery, 4.3).
    if (document.issuer !== issuer)
      throw new Error(`its issuer is ${document.issuer}, AUTH_ISSUER is ${issuer}`);
    return document.jwks_uri;
  } catch (error) {
    throw new errors.JWKSInvalid(`${url}: ${(error as Error).message}`, { cause: error });
  }
}
