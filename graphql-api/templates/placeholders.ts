// Placeholder syntax: `{{name}}`, `{{1}}`, `{{name | default: "there"}}`, and in SMS texts
// registered in India `{#var#}` and its typed siblings, which are numbered by position.

import type { TemplateChannel } from './content.ts';

export type PlaceholderType = 'text' | 'number' | 'alphanumeric' | 'url' | 'phone' | 'email';

export type Token =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'variable';
      readonly text: string;
      readonly name: string;
      readonly type: PlaceholderType;
      readonly fallback: string | null;
    }
  /** Text that begins or ends like a placeholder but is not valid. */
  | { readonly kind: 'broken'; readonly text: string };

/** Lower case only: the operators compare tags character by character. */
const REGISTERED_TYPES: Readonly<Record<string, PlaceholderType>> = {
  var: 'text',
  numeric: 'number',
  alphanumeric: 'alphanumeric',
  url: 'url',
  cbn: 'phone',
  email: 'email',
};

const NAME = /^([A-Za-z_][A-Za-z0-9_.]{0,63}|[1-9][0-9]{0,2})\s*(?:\|\s*default:\s*"([^"]*)")?$/;
const PIECE = /\{\{([^{}]*)\}\}|\{#([^{}#]*)#\}|\{\{|\}\}|\{#|#\}/g;

/**
 * Splits a text into tokens that cover all of it, in order. `{#…#}` is a placeholder in SMS only.
 * In an email's HTML `}}` may end nested styles, so it is not an error.
 */
export function tokensOf(text: string, channel: TemplateChannel = 'messaging_app'): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let registered = 0;
  for (const match of text.matchAll(PIECE)) {
    const [piece, inside, tag] = match;
    const isTag = piece.includes('#') && inside === undefined;
    if (isTag ? channel !== 'sms' : piece === '}}' && channel === 'email') continue;
    if (match.index > at) tokens.push({ kind: 'text', text: text.slice(at, match.index) });
    at = match.index + piece.length;
    if (inside !== undefined) tokens.push(named(piece, inside.trim()));
    else if (tag === undefined) tokens.push({ kind: 'broken', text: piece });
    else tokens.push(counted(piece, tag, ++registered));
  }
  if (at < text.length) tokens.push({ kind: 'text', text: text.slice(at) });
  return tokens;
}

function named(text: string, inside: string): Token {
  const match = NAME.exec(inside);
  if (match === null) return { kind: 'broken', text };
  return { kind: 'variable', text, name: match[1]!, type: 'text', fallback: match[2] ?? null };
}

function counted(text: string, tag: string, position: number): Token {
  const type = Object.hasOwn(REGISTERED_TYPES, tag) ? REGISTERED_TYPES[tag] : undefined;
  if (type === undefined) return { kind: 'broken', text };
  return { kind: 'variable', text, name: `var${position}`, type, fallback: null };
}
