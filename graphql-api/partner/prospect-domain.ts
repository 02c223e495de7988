import { parse } from 'tldts';

/** What people type: a host, or an address of a page. */
const ADDRESS = /^(?:https?:\/\/)?[^\s/?#@\\]+(?:[/?#]\S*)?$/i;
/** In punycode, perhaps with the root's dot. */
const HOSTNAME = /^[a-z\d-]+(?:\.[a-z\d-]+)+\.?$/;
const DOMAIN_CHARACTERS_MAX = 253;
/** Names that the internet's own rules give to nobody: of a network at home, or of none. */
const NOBODYS: ReadonlySet<string> = new Set([
  'arpa',
  'internal',
  'invalid',
  'local',
  'localhost',
  'onion',
]);

/**
 * The domain that somebody could have registered, in lower case and punycode: `shop.example.co.uk`
 * is `example.co.uk`. Undefined where there is none: an IP address, a suffix alone, one that nobody
 * can have. A customer's subdomain of a hosting company is a domain of its own, as the public suffix
 * list has it, so that one of them doesn't stand for them all. An ending that the list doesn't know
 * is one label, as it says itself: new ones come faster than this is updated.
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

/** Mailboxes of everybody: whoever has one there isn't the company behind it. */
const FREEMAIL: ReadonlySet<string> = new Set(
  `126.com 163.com aol.com aol.in fastmail.com gmail.com gmx.com gmx.de gmx.net googlemail.com
   hey.com hotmail.co.in hotmail.co.uk hotmail.com hotmail.de hotmail.fr hotmail.it hushmail.com
   icloud.com inbox.com indiatimes.com laposte.net libero.it live.co.uk live.com live.fr live.in
   mac.com mail.com mail.ru me.com msn.com naver.com orange.fr outlook.com outlook.de outlook.fr
   outlook.in pm.me proton.me protonmail.com qq.com rediff.com rediffmail.com sify.com t-online.de
   tuta.com tutanota.com web.de yahoo.ca yahoo.co.in yahoo.co.jp yahoo.co.uk yahoo.com yahoo.de
   yahoo.fr yahoo.in yandex.com yandex.ru ymail.com zohomail.com zohomail.in`.split(/\s+/),
);

/** Of a registrable domain. */
export function isFreemail(domain: string): boolean {
  return FREEMAIL.has(domain);
}
