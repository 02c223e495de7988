// Statements that Postgres parses and plans once a connection, under a name. Only what is built from
// the code and never from a request belongs here, so their number is bounded.

const names = new Map<string, string>();

export function rememberStatement(text: string): string {
  if (!names.has(text)) names.set(text, `remembered_${names.size}`);
  return text;
}

export function nameOfStatement(text: string): string | undefined {
  return names.get(text);
}
