// What a person's data becomes in an email's HTML: text, or a part of an address, and nothing else.

/** As long as an address may be: what stands further before says nothing about this place. */
export const HTML_LOOKBACK_CHARACTERS = 2_000;

/** `before` is the HTML up to the value, at least its last characters. */
export function fillHtml(value: string, before: string): string {
  const address = addressBefore(before);
  if (address === undefined) return escapeHtml(value);
  if (address === '') return escapeHtml(isHarmless(value) ? value : '#');
  // Of somebody to write to or to call, only what follows a question mark is encoded.
  if (/^(?:mailto|tel|sms):[^?]*$/i.test(address)) return escapeHtml(value);
  return encodeUrl(value);
}

/** A value within an address; half a character is none. */
export function encodeUrl(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replaceAll("'", '%27');
}

/** What there is of the address within which the HTML ends; undefined where it ends outside of one. */
function addressBefore(html: string): string | undefined {
  const near = html.slice(-HTML_LOOKBACK_CHARACTERS);
  const tag = near.slice(near.lastIndexOf('<') + 1);
  const match = /\s(?:href|src)\s*=\s*(?:"([^"]*)|'([^']*)|([^\s"'>]*))$/i.exec(tag);
  return match === null ? undefined : (match[1] ?? match[2] ?? match[3]);
}

/** Browsers read a scheme across line breaks and tabs. */
function isHarmless(address: string): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address.replaceAll(/[\s\p{Cc}]/gu, ''))?.[1];
  return scheme === undefined || /^(?:https?|mailto|tel|sms)$/i.test(scheme);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** What a person is called must not become markup. */
function escapeHtml(value: string): string {
  return value.replaceAll(/[&<>"']/g, character => ESCAPES[character]!);
}
