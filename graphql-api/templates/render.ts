import type {
  TemplateButton,
  TemplateChannel,
  TemplateContent,
  TemplateExtras,
  TemplateHeader,
} from './content.ts';
import { tokensOf } from './placeholders.ts';

export type Rendered = {
  readonly header: TemplateHeader | null;
  readonly body: string;
  readonly footer: string | null;
  readonly buttons: readonly TemplateButton[];
  readonly extras: TemplateExtras;
  /** Variables without a value or default. A message with missing variables must not be sent. */
  readonly missing: readonly string[];
};

type Values = Readonly<Record<string, string | undefined>>;

/** Sanitizes a value. `before` is the end of the text that precedes it. */
type Clean = (value: string, before: string) => string;

/** The maximum length of a URL: earlier text cannot affect how the current position is parsed. */
const HTML_LOOKBACK_CHARACTERS = 2_000;

/** Fills the placeholders of the content, sanitizing values as the channel requires. */
export function renderTemplate(
  content: Omit<TemplateContent, 'category'>,
  channel: TemplateChannel,
  values: Values,
): Rendered {
  const missing = new Set<string>();
  const fill = (text: string, clean: Clean) => {
    let before = '';
    const pieces = tokensOf(text, channel).map(token => {
      let piece = token.text;
      if (token.kind === 'variable') {
        const value = valueNamed(values, token.name) ?? token.fallback;
        if (value === null) missing.add(token.name);
        piece = clean(value ?? '', before);
      }
      before = (before + piece).slice(-HTML_LOOKBACK_CHARACTERS);
      return piece;
    });
    return pieces.join('');
  };
  const plain = channel === 'messaging_app' ? onOneLine : asGiven;
  const inText = channel === 'email' ? fillHtml : plain;
  const { header, footer, buttons, extras } = content;
  const filled = {
    body: fill(content.body, inText),
    header: header?.type === 'text' ? { ...header, text: fill(header.text, onOneLine) } : header,
    footer: footer === null ? null : fill(footer, inText),
    buttons: buttons.map(button =>
      button.url === undefined ? button : { ...button, url: fill(button.url, encodeUrl) },
    ),
    extras: {
      ...extras,
      ...(extras.preheader !== undefined && { preheader: fill(extras.preheader, onOneLine) }),
      ...(extras.plainText !== undefined && { plainText: fill(extras.plainText, asGiven) }),
    },
  };
  return { ...filled, missing: [...missing] };
}

/** Treats an empty value as missing: the messaging app rejects it, and a default reads better. */
function valueNamed(values: Values, name: string): string | null {
  return (Object.hasOwn(values, name) ? values[name] : undefined) || null;
}

function asGiven(value: string): string {
  return value;
}

/** The messaging app rejects newlines, tabs and more than four spaces. A subject has one line. */
function onOneLine(value: string): string {
  return value
    .replaceAll(/\s+/g, run => (/[\n\r\t]/.test(run) ? ' ' : run))
    .replaceAll(/ {5,}/g, '    ');
}

/**
 * Inserts contact data into the HTML of an email: a value can only become text or part of a URL.
 * `before` is the HTML up to the value, or at least its last characters.
 */
function fillHtml(value: string, before: string): string {
  const address = addressBefore(before);
  if (address === undefined) return escapeHtml(value);
  if (address === '') return escapeHtml(isHarmless(value) ? value : '#');
  // In mailto:, tel: and sms: URLs only the part after the question mark is percent-encoded.
  if (/^(?:mailto|tel|sms):[^?]*$/i.test(address)) return escapeHtml(value);
  return encodeUrl(value);
}

/** Encodes a value within a URL. An unpaired surrogate would throw, so it is replaced. */
function encodeUrl(value: string): string {
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
