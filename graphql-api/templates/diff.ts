import { EXTRAS, isSameJson, type TemplateContent } from './content.ts';
import type { TemplateVariable } from './variables.ts';

type FieldChange = {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
};

type VariableChange = {
  readonly name: string;
  readonly change: 'ADDED' | 'REMOVED' | 'TYPE_CHANGED' | 'NOW_REQUIRED' | 'NOW_OPTIONAL';
  /** Whether a message rendered with only the earlier variables would lack a value. */
  readonly isBreaking: boolean;
};

export type TemplateDiff = {
  readonly fields: readonly FieldChange[];
  readonly variables: readonly VariableChange[];
  readonly isBreaking: boolean;
};

type Compared = TemplateContent & { readonly variables: readonly TemplateVariable[] };

/** Compares two versions. */
export function diffTemplates(before: Compared, after: Compared): TemplateDiff {
  const variables = diffVariables(before.variables, after.variables);
  return {
    fields: diffFields(before, after),
    variables,
    isBreaking: variables.some(({ isBreaking }) => isBreaking),
  };
}

/** New required variables and changed types are breaking. Removed variables are not. */
export function diffVariables(
  before: readonly TemplateVariable[],
  after: readonly TemplateVariable[],
): VariableChange[] {
  const earlier = new Map(before.map(variable => [variable.name, variable]));
  const later = new Set(after.map(({ name }) => name));
  const changes: VariableChange[] = [];
  for (const { name, type, isRequired } of after) {
    const was = earlier.get(name);
    if (was === undefined) changes.push({ name, change: 'ADDED', isBreaking: isRequired });
    else if (was.type !== type) changes.push({ name, change: 'TYPE_CHANGED', isBreaking: true });
    else if (was.isRequired !== isRequired)
      changes.push({
        name,
        change: isRequired ? 'NOW_REQUIRED' : 'NOW_OPTIONAL',
        isBreaking: isRequired,
      });
  }
  for (const { name } of before)
    if (!later.has(name)) changes.push({ name, change: 'REMOVED', isBreaking: false });
  return changes;
}

const FIELDS = ['category', 'header', 'body', 'footer', 'buttons'] as const;

function diffFields(before: Compared, after: Compared): FieldChange[] {
  const pairs = [
    ...FIELDS.map(field => ({ field, before: before[field], after: after[field] })),
    ...EXTRAS.map(field => ({ field, before: before.extras[field], after: after.extras[field] })),
  ].map(pair => ({ ...pair, before: pair.before ?? null, after: pair.after ?? null }));
  return pairs.filter(({ before: was, after: is }) => !isSameJson(was, is));
}
