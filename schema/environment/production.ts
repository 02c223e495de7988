// What production must set, because the defaults are for a developer's machine.

type Given = Readonly<Record<string, string | undefined>>;

/** Why each variable is required, by its name. */
type Required = Readonly<Record<string, string>>;

export function missingInProduction(given: Given, required: Required): string[] {
  if (given.NODE_ENV !== 'production') return [];
  return Object.entries(required)
    .filter(([name]) => !given[name])
    .map(([name, reason]) => `${name}: is required in production${reason && `: ${reason}`}`);
}
