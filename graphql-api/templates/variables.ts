import type { TemplateChannel, TemplateContent } from './content.ts';
import { type PlaceholderType, tokensOf } from './placeholders.ts';

export type TemplateVariable = {
  /** The name as written in `{{name}}`. For the SMS tag `{#var#}` its position: `var1`. */
  readonly name: string;
  readonly type: PlaceholderType;
  /** Whether each message needs a value; false if there is a default. */
  readonly isRequired: boolean;
  /** The default in `{{name | default: "there"}}`. */
  readonly fallback: string | null;
  /** Sent to the approver and shown in previews. */
  readonly sample: string;
};

/** Bounds the lookups per recipient, since each variable is looked up in the recipient's data. */
export const VARIABLES_MAX = 100;

type Texts = Pick<TemplateContent, 'body' | 'header' | 'footer' | 'buttons' | 'extras'>;

/**
 * Returns the variables of the content in the order of appearance, starting with the body. A
 * repeated name stands for the same value. Samples that are not given are generated.
 */
export function variablesOf(
  content: Texts,
  channel: TemplateChannel,
  samples: Readonly<Record<string, string>> = {},
): TemplateVariable[] {
  const found = new Map<string, TemplateVariable>();
  for (const { text } of textsOf(content)) {
    for (const token of tokensOf(text, channel)) {
      if (token.kind !== 'variable') continue;
      const { name, type, fallback } = token;
      const earlier = found.get(name);
      const sample = Object.hasOwn(samples, name) ? samples[name]! : sampleOf(name, type);
      found.set(name, {
        name,
        type,
        isRequired: fallback === null || (earlier?.isRequired ?? false),
        fallback: earlier?.fallback ?? fallback,
        sample,
      });
    }
  }
  return [...found.values()];
}

/** All texts that may contain placeholders, with the paths of their fields. */
export function textsOf({ body, header, footer, buttons, extras }: Texts) {
  const texts: readonly (readonly [path: string, text: string | null | undefined])[] = [
    ['body', body],
    ['header', header?.type === 'text' ? header.text : null],
    ['footer', footer],
    ...buttons.map(({ url }, index) => [`buttons.${index}.url`, url] as const),
    ['preheader', extras.preheader],
    ['plainText', extras.plainText],
  ];
  return texts.map(([path, text]) => ({ path, text: text ?? '' }));
}

export function samplesOf(variables: readonly TemplateVariable[]): Record<string, string> {
  return Object.fromEntries(variables.map(({ name, sample }) => [name, sample]));
}

const SAMPLES_BY_TYPE: Readonly<Record<PlaceholderType, string>> = {
  text: 'sample',
  number: '482913',
  alphanumeric: 'A1024',
  url: 'https://example.com/a',
  phone: '+911123456789',
  email: 'asha@example.com',
};

/** Samples by variable name. The first matching pattern wins. */
const SAMPLES_BY_NAME: readonly (readonly [RegExp, string])[] = [
  [/mail/i, 'asha@example.com'],
  [/phone|mobile/i, '+911123456789'],
  [/url|link/i, 'https://example.com/a'],
  [/code|otp|pin/i, '482913'],
  [/amount|price|total|balance/i, '1,499'],
  [/date|day/i, '21 November'],
  [/time|hour/i, '10:30'],
  [/name/i, 'Asha'],
  [/order|invoice|number|(^|_)id$/i, 'A1024'],
  [/city/i, 'Pune'],
];

function sampleOf(name: string, type: PlaceholderType): string {
  if (type !== 'text') return SAMPLES_BY_TYPE[type];
  return SAMPLES_BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? SAMPLES_BY_TYPE.text;
}
