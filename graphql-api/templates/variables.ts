import type { TemplateChannel, TemplateContent } from './content.ts';
import { type PlaceholderType, tokensOf } from './placeholders.ts';

export type TemplateVariable = {
  /** As in `{{name}}`; of an SMS's `{#var#}` its position among them: `var1`. */
  readonly name: string;
  readonly type: PlaceholderType;
  /** Whether each message needs a value: false where a default stands in its place. */
  readonly isRequired: boolean;
  /** Of `{{name | default: "there"}}`. */
  readonly fallback: string | null;
  /** What reviewers and previews are shown. */
  readonly sample: string;
};

/** More than any message says; each is looked for in the data of everybody it goes to. */
export const VARIABLES_MAX = 100;

type Texts = Pick<TemplateContent, 'body' | 'header' | 'footer' | 'buttons' | 'extras'>;

/**
 * What a message of this content asks for, in the order of appearance, the body's first. The same
 * name is the same value everywhere. Samples that are not given are made.
 */
export function variablesOf(
  content: Texts,
  channel: TemplateChannel,
  samples: Readonly<Record<string, string>> = {},
): TemplateVariable[] {
  const found = new Map<string, TemplateVariable>();
  for (const text of textsOf(content)) {
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

/** Every text in which placeholders are filled. */
export function textsOf({ body, header, footer, buttons, extras }: Texts): string[] {
  return [
    body,
    header?.type === 'text' ? header.text : '',
    footer ?? '',
    ...buttons.map(({ url }) => url ?? ''),
    extras.preheader ?? '',
    extras.plainText ?? '',
  ];
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

/** By what the name says; the first that fits. */
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
