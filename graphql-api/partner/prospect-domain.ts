import { parse } from 'tldts';

/** Accepts a host or the URL of a page. */
const ADDRESS = /^(?:https?:\/\/)?[^\s/?#@\\]+(?:[/?#]\S*)?$/i;
/** In punycode, optionally with the trailing dot of the root. */
const HOSTNAME = /^[a-z\d-]+(?:\.[a-z\d-]+)+\.?$/;
const DOMAIN_CHARACTERS_MAX = 253;
/** Reserved and special-use top-level domains, which cannot be registered. */
const NOBODYS: ReadonlySet<string> = new Set([
  'arpa',
  'internal',
  'invalid',
  'local',
  'localhost',
  'onion',
]);

/**
 * The registrable domain of a host, in lower case and punycode: `shop.example.co.uk` becomes
 * `example.co.uk`. Undefined for an IP address, a bare suffix, or a domain that cannot be
 * registered. By the public suffix list, a customer's subdomain of a hosting company counts as a
 * domain of its own, so that one customer does not block the others. An unknown suffix is treated
 * as a single label, as the list specifies, because new ones appear faster than this dependency is
 * updated.
 */
export function registrableDomain(typed: string): string | undefined {
  const text = typed.trim();
  if (!ADDRESS.test(text)) return undefined;
  const address = /^https?:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(address)) return undefined;
  const { hostname, username, password } = new URL(address);
  if (username !== '' || password !== '' || !HOSTNAME.test(hostname)) return undefined;
  const { domain, publicSuffix } = parse(hostname, { allowPrivateDomains: true });
  if (domain === null || publicSuffix === null) return undefined;
  if (NOBODYS.has(publicSuffix.split('.').at(-1)!)) return undefined;
  return domain.length <= DOMAIN_CHARACTERS_MAX ? domain : undefined;
}

/** Public email providers. An address there does not identify a company. */
const FREEMAIL: ReadonlySet<string> = new Set(
  `126.com 163.com aol.com aol.in fastmail.com gmail.com gmx.com gmx.de gmx.net googlemail.com
   hey.com hotmail.co.in hotmail.co.uk hotmail.com hotmail.de hotmail.fr hotmail.it hushmail.com
   icloud.com inbox.com indiatimes.com laposte.net libero.it live.co.uk live.com live.fr live.in
   mac.com mail.com mail.ru me.com msn.com naver.com orange.fr outlook.com outlook.de outlook.fr
   outlook.in pm.me proton.me protonmail.com qq.com rediff.com rediffmail.com sify.com t-online.de
   tuta.com tutanota.com web.de yahoo.ca yahoo.co.in yahoo.co.jp yahoo.co.uk yahoo.com yahoo.de
   yahoo.fr yahoo.in yandex.com yandex.ru ymail.com zohomail.com zohomail.in`.split(/\s+/),
);

/** Expects a registrable domain. */
export function isFreemail(domain: string): boolean {
  return FREEMAIL.has(domain);
}
