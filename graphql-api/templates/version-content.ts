// Merges an edit into existing content, for a new version, an edit in place and a restore.

import { reject } from '../platform/rejected.ts';
import {
  contentHash,
  EXTRAS,
  isSameJson,
  type TemplateChannel,
  type TemplateContent,
  type TemplateExtras,
} from './content.ts';
import type { TemplateContentInput } from './template.contract.ts';
import { samplesOf, type TemplateVariable, VARIABLES_MAX, variablesOf } from './variables.ts';
import type { TemplateVersion } from './version.entity.ts';

export type DraftContent = TemplateContent & {
  readonly variables: readonly TemplateVariable[];
  readonly contentHash: string;
};

type Base = TemplateContent & { readonly variables: readonly TemplateVariable[] };

const CATEGORIES_OF_MESSAGING_APP: readonly string[] = ['marketing', 'utility', 'authentication'];

/** Omitted fields keep the value of `base`; null clears. */
export function draftContent(
  channel: TemplateChannel,
  input: TemplateContentInput,
  base: Base | undefined,
): DraftContent {
  const content: TemplateContent = {
    category: categoryOf(channel, input.category, base),
    body: input.body ?? base?.body ?? bodyMissing(),
    header: pick(input.header, base?.header) ?? null,
    footer: pick(input.footer, base?.footer) || null,
    buttons: pick(input.buttons, base?.buttons) ?? [],
    extras: extrasOf(input, base?.extras ?? {}),
  };
  const kept = samplesOf(base?.variables ?? []);
  return completed(channel, content, input.samples === null ? {} : { ...kept, ...input.samples });
}

/** Adds the variables and the hash, which are derived from the content. */
export function completed(
  channel: TemplateChannel,
  content: TemplateContent,
  samples: Readonly<Record<string, string>>,
): DraftContent {
  const variables = variablesOf(content, channel, samples);
  if (variables.length > VARIABLES_MAX)
    reject('BAD_USER_INPUT', {
      field: ['body'],
      message: `body: must have at most ${VARIABLES_MAX} variables.`,
    });
  return { ...content, variables, contentHash: contentHash(content) };
}

export function contentOf(version: TemplateVersion): Base {
  const { body, buttons, extras, variables } = version;
  return {
    category: version.category ?? null,
    body,
    header: version.header ?? null,
    footer: version.footer ?? null,
    buttons,
    extras,
    variables,
  };
}

/**
 * The names of the changed fields. The audit log stores no texts, which may be tens of kilobytes.
 */
export function changedFields(before: Base, after: Base): string[] {
  const names = ['category', 'body', 'header', 'footer', 'buttons', 'extras', 'variables'] as const;
  return names.filter(name => !isSameJson(before[name], after[name]));
}

function pick<T>(given: T | null | undefined, before: T | null | undefined): T | null | undefined {
  return given === undefined ? before : given;
}

/** Defaults to marketing, the messaging-app category with the strictest rules. */
function categoryOf(
  channel: TemplateChannel,
  given: string | null | undefined,
  base: Base | undefined,
): string | null {
  const category = pick(given, base?.category) ?? null;
  if (channel !== 'messaging_app') return category;
  if (category === null) return given === null ? null : 'marketing';
  if (CATEGORIES_OF_MESSAGING_APP.includes(category)) return category;
  return reject('BAD_USER_INPUT', {
    field: ['category'],
    message: `category must be marketing, utility or authentication for messaging_app.`,
  });
}

function extrasOf(input: TemplateContentInput, before: TemplateExtras): TemplateExtras {
  const entries = EXTRAS.map(name => [name, pick(input[name], before[name])] as const);
  return Object.fromEntries(entries.filter(([, value]) => value != null && value !== ''));
}

function bodyMissing(): never {
  return reject('BAD_USER_INPUT', {
    field: ['body'],
    message: 'body is required, because there is no earlier version to copy it from.',
  });
}
