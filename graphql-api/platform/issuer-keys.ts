import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import { discoveryUrl, fetchDiscoveryDocument } from './discovery-document.ts';

/** For fetching the issuer's keys. */
const TIMEOUT_MS = 5_000;
/**
 * Unknown keys cause at most one fetch in this time, so tokens with invented keys do not become
 * requests to the issuer. A token signed with a new key is refused for at most as long.
 */
const FETCH_INTERVAL_MS = 5_000;

/** The public keys at this address. jose fetches them again for a key that it does not know. */
export function keysAt(url: string): JWTVerifyGetKey {
  return createRemoteJWKSet(new URL(url), {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: FETCH_INTERVAL_MS,
  });
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
      // The document may be wrong or unavailable only temporarily.
      if (error instanceof errors.JWKSInvalid && known === asked) known = undefined;
      throw error;
    }
  };
}

/** Throws JWKSInvalid, which counts as a fault of the issuer and not of the token. */
async function discover(issuer: string): Promise<string> {
  try {
    return (await fetchDiscoveryDocument(issuer)).jwks_uri;
  } catch (error) {
    throw new errors.JWKSInvalid(`${discoveryUrl(issuer)}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
