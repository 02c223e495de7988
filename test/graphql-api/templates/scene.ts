import type { TemplateButton, TemplateChannel } from '../../../graphql-api/templates/content.ts';
import type { Finding } from '../../../graphql-api/templates/lint/finding.ts';
import { type Linted, lintTemplate } from '../../../graphql-api/templates/lint/lint-template.ts';
import { variablesOf } from '../../../graphql-api/templates/variables.ts';

export type Given = Partial<Omit<Linted, 'variables'>> & {
  readonly samples?: Readonly<Record<string, string>>;
};

/** A version without blocking findings, with these fields replaced. */
export function versionOf(channel: TemplateChannel, { samples, ...given }: Given = {}): Linted {
  const content = {
    channel,
    category: 'utility',
    body: 'Your order is on its way to you today.',
    header: null,
    footer: null,
    buttons: [],
    extras: {},
    ...given,
  };
  return { ...content, variables: variablesOf(content, channel, samples) };
}

export function lint(channel: TemplateChannel, given: Given = {}): Finding[] {
  return lintTemplate(versionOf(channel, given));
}

/** The codes of blocking findings, in order. */
export function blocking(channel: TemplateChannel, given: Given = {}): string[] {
  return lint(channel, given).flatMap(({ severity, code }) => (severity === 'block' ? [code] : []));
}

export function warnings(channel: TemplateChannel, given: Given = {}): string[] {
  return lint(channel, given).flatMap(({ severity, code }) => (severity === 'warn' ? [code] : []));
}

export function reply(text = 'Yes'): TemplateButton {
  return { type: 'quick_reply', text };
}

export function link(url = 'https://example.com/a', text = 'Look'): TemplateButton {
  return { type: 'url', text, url };
}
