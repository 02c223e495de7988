import type {
  TemplateButton,
  TemplateChannel,
  TemplateContent,
  TemplateExtras,
  TemplateHeader,
} from './content.ts';
import { encodeUrl, fillHtml, HTML_LOOKBACK_CHARACTERS } from './fill-html.ts';
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
