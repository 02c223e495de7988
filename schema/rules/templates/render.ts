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
  /** Names that have neither a value nor a default: such a message is not to be sent. */
  readonly missing: readonly string[];
};

type Values = Readonly<Record<string, string | undefined>>;

/** The content with its placeholders filled, as the channel wants values. */
export function renderTemplate(
  content: Omit<TemplateContent, 'category'>,
  channel: TemplateChannel,
  values: Values,
): Rendered {
  const missing = new Set<string>();
  const fill = (text: string, clean: (value: string) => string) =>
    tokensOf(text, channel)
      .map(token => {
        if (token.kind !== 'variable') return token.text;
        const value = valueNamed(values, token.name) ?? token.fallback;
        if (value === null) missing.add(token.name);
        return clean(value ?? '');
      })
      .join('');
  const plain = channel === 'messaging_app' ? onOneLine : asGiven;
  const inBody = channel === 'email' ? escapeHtml : plain;
  const { header, footer, buttons, extras } = content;
  const filled = {
    body: fill(content.body, inBody),
    header: header?.type === 'text' ? { ...header, text: fill(header.text, onOneLine) } : header,
    footer: footer === null ? null : fill(footer, plain),
    buttons: buttons.map(button =>
      button.url === undefined ? button : { ...button, url: fill(button.url, encodeURIComponent) },
    ),
    extras: {
      ...extras,
      ...(extras.preheader !== undefined && { preheader: fill(extras.preheader, onOneLine) }),
      ...(extras.plainText !== undefined && { plainText: fill(extras.plainText, asGiven) }),
    },
  };
  return { ...filled, missing: [...missing] };
}

/** An empty value is none: the messaging app refuses it, and a default reads better elsewhere. */
function valueNamed(values: Values, name: string): string | null {
  return (Object.hasOwn(values, name) ? values[name] : undefined) || null;
}

function asGiven(value: string): string {
  return value;
}

/** The messaging app refuses newlines, tabs and more than four spaces; a subject has one line. */
function onOneLine(value: string): string {
  return value.replaceAll(/\s*[\n\r\t]+\s*/g, ' ').replaceAll(/ {5,}/g, '    ');
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
