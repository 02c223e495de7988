import { z } from 'zod';

/** For fetching the document. */
const TIMEOUT_MS = 5_000;

const httpUrl = z.url({ protocol: /^https?$/ });
const discoveryDocument = z.object({
  issuer: z.string(),
  jwks_uri: httpUrl,
  token_endpoint: httpUrl.optional(),
});

type DiscoveryDocument = z.output<typeof discoveryDocument>;

export function discoveryUrl(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

/** Throws if the document cannot be fetched or belongs to another issuer. */
export async function fetchDiscoveryDocument(issuer: string): Promise<DiscoveryDocument> {
  const answer = await fetch(discoveryUrl(issuer), { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const document = discoveryDocument.parse(await answer.json());
  // Otherwise tokens of another issuer could be accepted (OpenID Connect Discovery, 4.3).
  if (document.issuer !== issuer)
    throw new Error(`its issuer is ${document.issuer}, but ${issuer} is configured`);
  return document;
}
