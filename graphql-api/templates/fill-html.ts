// Inserts contact data into the HTML of an email. A value can only become text or part of a URL.

/** The maximum length of a URL: earlier text cannot affect how the current position is parsed. */
export const HTML_LOOKBACK_CHARACTERS = 2_000;

/** `before` is the HTML up to the value, or at least its last characters. */
export function fillHtml(value: string, before: string): string {
  const address = addressBefore(before);
  if (address === undefined) return escapeHtml(value);
  if (address === '') return escapeHtml(isHarmless(value) ? value : '#');
  // In mailto:, tel: and sms: URLs only the part after the question mark is percent-encoded.
  if (/^(?:mailto|tel|sms):[^?]*$/i.test(address)) return escapeHtml(value);
  return encodeUrl(value);
}

/** Encodes a value within a URL. An unpaired surrogate would throw, so it is replaced. */
export function encodeUrl(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replaceAll("'", '%27');
}

/** Returns the URL in which the HTML ends so far; undefined if it does not end inside a URL. */
function addressBefore(html: string): string | undefined {
  const near = html.slice(-HTML_LOOKBACK_CHARACTERS);
  const tag = near.slice(near.lastIndexOf('<') + 1);
  const match = /\s(?:href|src)\s*=\s*(?:"([^"]*)|'([^']*)|([^\s"'>]*))$/i.exec(tag);
  return match === null ? undefined : (match[1] ?? match[2] ?? match[3]);
}

/** Browsers ignore line breaks and tabs within a scheme, so the check does too. */
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

/** A contact's name must not become markup. */
function escapeHtml(value: string): string {
  return value.replaceAll(/[&<>"']/g, character => ESCAPES[character]!);
}
