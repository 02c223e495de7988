import { fetchDiscoveryDocument } from '../platform/discovery-document.ts';

/** Issuers rarely move their token endpoint. */
const REMEMBERED_MS = 600_000;
/** The interval while the issuer cannot be reached. */
const RETRY_MS = 10_000;

type Origins = () => Promise<readonly string[]>;

/**
 * The origins that a page needs for a sign-in: the issuer's, and that of its token endpoint, which
 * is in its discovery document. Without the document, the issuer's alone. Only the first call waits
 * for the document.
 */
export function issuerOrigins(
  issuer: string,
  clock: { nowMs(): number },
  fetchDocument = fetchDiscoveryDocument,
): Origins {
  let known: readonly string[] = [new URL(issuer).origin];
  let isKnownUntilMs = Number.NEGATIVE_INFINITY;
  let fetching: Promise<void> | undefined;
  let isFirst = true;

  async function refresh(): Promise<void> {
    const document = await fetchDocument(issuer).catch(() => undefined);
    if (document !== undefined) known = originsOf(issuer, document.token_endpoint);
    isKnownUntilMs = clock.nowMs() + (document === undefined ? RETRY_MS : REMEMBERED_MS);
    isFirst = false;
    fetching = undefined;
  }
  return async () => {
    if (clock.nowMs() >= isKnownUntilMs) fetching ??= refresh();
    if (isFirst) await fetching;
    return known;
  };
}

function originsOf(issuer: string, tokenEndpoint: string | undefined): readonly string[] {
  const urls = [issuer, ...(tokenEndpoint === undefined ? [] : [tokenEndpoint])];
  return [...new Set(urls.map(url => new URL(url).origin))];
}
