// Writes the parameters of a statement into its text, so that an analyst can paste it.

type Parameters = Readonly<Record<string, unknown>>;

/** A placeholder of ClickHouse: `{name:Type}`. */
const PLACEHOLDER = /\{(\w+):([^{}]+)\}/g;

export function inlineParameters(query: string, parameters: Parameters): string {
  return query.replaceAll(PLACEHOLDER, (_, name: string, type: string) => {
    if (parameters[name] == null) throw new Error(`the statement has no parameter ${name}`);
    const literal = literalOf(parameters[name]);
    // The type of a string is that of its literal. The narrowest type that fits a number, or the items
    // of a list, may differ from the parameter's.
    return type === 'String' ? literal : `CAST(${literal}, '${type}')`;
  });
}

function literalOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literalOf).join(', ')}]`;
  return typeof value === 'number' ? String(value) : quoted(String(value));
}

/** In ClickHouse's string literals, only the backslash and the quote have a meaning. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
