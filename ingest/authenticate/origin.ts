// Origin allow-lists. An entry is an origin as browsers send it (`https://shop.example.com`,
// `http://localhost:3000`, `capacitor://localhost`), or one with a wildcard in place of the first
// labels (`https://*.example.com`). A wildcard matches any subdomain at any depth but not the
// domain itself, and scheme and port must be equal. `*` alone allows all origins. Case, default
// ports and a trailing slash are ignored. Any other entry (without a scheme, with a path, `null`)
// matches nothing, so a typo denies access.

export type OriginRules = {
  readonly allowsAll: boolean;
  readonly exact: ReadonlySet<string>;
  /** In the form `https://*.example.com`. */
  readonly wildcards: ReadonlySet<string>;
};

/** The data for matching one list, or several lists together. */
type MatchableRules = {
  readonly allowsAll: boolean;
  readonly exact: Pick<ReadonlySet<string>, 'has'>;
  readonly wildcards: Pick<ReadonlySet<string>, 'has' | 'size'>;
};

/**
 * Whether a request with this `Origin` header may use the key. A request without the header is not
 * a cross-origin request of a browser, and an allow-list does not apply to it.
 */
export function isOriginAllowed(
  account: { readonly origins: MatchableRules },
  origin: string | undefined,
): boolean {
  return origin === undefined || origin === '' || matchesOrigin(account.origins, origin);
}

export function matchesOrigin(rules: MatchableRules, origin: string): boolean {
  if (rules.allowsAll) return true;
  // Browsers send the normalized form, so this lookup is almost always sufficient.
  if (rules.exact.has(origin)) return true;
  const normal = normalizeOrigin(origin);
  if (normal === undefined) return false;
  return rules.exact.has(normal) || matchesWildcard(rules.wildcards, normal);
}

export function buildOriginRules(entries: readonly string[]): OriginRules {
  const exact = new Set<string>();
  const wildcards = new Set<string>();
  let allowsAll = entries.length === 0;
  for (const entry of entries) {
    if (entry.trim() === '*') allowsAll = true;
    const normal = normalizeEntry(entry);
    if (normal === undefined) continue;
    (normal.includes('*') ? wildcards : exact).add(normal);
  }
  return { allowsAll, exact, wildcards };
}

/** Matches origins that are allowed by at least one of the lists. */
export class UnitedOriginRules {
  #allowingAll = 0;
  readonly exact = new Counts();
  readonly wildcards = new Counts();

  get allowsAll(): boolean {
    return this.#allowingAll > 0;
  }

  add(rules: OriginRules): void {
    this.#count(rules, 1);
  }

  /** Precondition: the list was added. */
  remove(rules: OriginRules): void {
    this.#count(rules, -1);
  }

  #count({ allowsAll, exact, wildcards }: OriginRules, change: number): void {
    if (allowsAll) this.#allowingAll += change;
    for (const origin of exact) this.exact.add(origin, change);
    for (const origin of wildcards) this.wildcards.add(origin, change);
  }
}

class Counts {
  readonly #counts = new Map<string, number>();

  get size(): number {
    return this.#counts.size;
  }

  has(origin: string): boolean {
    return this.#counts.has(origin);
  }

  add(origin: string, change: number): void {
    const count = (this.#counts.get(origin) ?? 0) + change;
    if (count === 0) this.#counts.delete(origin);
    else this.#counts.set(origin, count);
  }
}

/** Removes labels from the left, so the cost does not depend on the number of entries. */
function matchesWildcard(wildcards: MatchableRules['wildcards'], origin: string): boolean {
  if (wildcards.size === 0) return false;
  const hostStart = origin.indexOf('://') + 3;
  const scheme = origin.slice(0, hostStart);
  for (let dot = origin.indexOf('.', hostStart); dot > 0; dot = origin.indexOf('.', dot + 1)) {
    if (wildcards.has(`${scheme}*${origin.slice(dot)}`)) return true;
  }
  return false;
}

/** Scheme, host (a name, IPv4 or bracketed IPv6) and optional port, without surrounding text. */
const ORIGIN = /^([a-z][a-z0-9+.-]*):\/\/([a-z0-9_-][a-z0-9._-]*|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443' };
/** The longest host name has 253 characters. */
const ORIGIN_CHARACTERS_MAX = 300;

function normalizeOrigin(origin: string): string | undefined {
  if (origin.length > ORIGIN_CHARACTERS_MAX) return undefined;
  const match = ORIGIN.exec(origin.toLowerCase());
  if (match === null) return undefined;
  const [, scheme, host, port] = match;
  const hasPort = port !== undefined && port !== DEFAULT_PORTS[scheme!];
  return hasPort ? `${scheme}://${host}:${port}` : `${scheme}://${host}`;
}

function normalizeEntry(entry: string): string | undefined {
  const text = entry.trim().replace(/\/$/, '');
  const wildcard = /^([^:/]+:\/\/)\*\.(.+)$/.exec(text);
  if (wildcard === null) return normalizeOrigin(toAscii(text));
  const base = normalizeOrigin(toAscii(`${wildcard[1]}${wildcard[2]}`));
  // An IP address has no subdomains.
  if (base === undefined || /\/\/(\[|[\d.]+(:|$))/.test(base)) return undefined;
  return base.replace('://', '://*.');
}

/** Operators enter `https://bücher.example`; browsers send the ASCII form. */
function toAscii(text: string): string {
  const isAscii = !/[^ -~]/.test(text);
  if (isAscii) return text;
  const url = URL.parse(text);
  return url !== null && url.origin !== 'null' && url.href === `${url.origin}/` ? url.origin : text;
}
