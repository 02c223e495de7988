// What apps commonly call a person's name and e-mail address among the traits.

const NAMES = ['name', 'fullName', 'full_name'];
const FIRST_NAMES = ['firstName', 'first_name'];
const LAST_NAMES = ['lastName', 'last_name'];

/** The traits that `personName` reads. */
export const NAMING_TRAITS: readonly string[] = [...NAMES, ...FIRST_NAMES, ...LAST_NAMES, 'email'];

/** For example "Asha Rao, asha@shop.example"; undefined if the traits have neither. */
export function personName(traits: unknown): string | undefined {
  if (traits === null || typeof traits !== 'object') return undefined;
  const firstOf = (names: readonly string[]) =>
    names.map(name => (traits as Readonly<Record<string, unknown>>)[name]).find(isText);
  const parts = [firstOf(FIRST_NAMES), firstOf(LAST_NAMES)].filter(isText);
  const name = firstOf(NAMES) ?? (parts.length > 0 ? parts.join(' ') : undefined);
  const known = [name, firstOf(['email'])].filter(isText);
  return known.length > 0 ? known.join(', ') : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
