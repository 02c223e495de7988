// Splits and renders the files: ClickHouse accepts one statement per request, and the same file is used for a
// single node and a cluster.

/**
 * Tokens: strings, quoted names, heredocs and comments (none of which end a statement), `;`, and
 * all other text.
 */
const TOKEN =
  /'(?:[^'\\]|\\[\s\S]|'')*'|"(?:[^"\\]|\\[\s\S]|"")*"|`(?:[^`\\]|\\[\s\S]|``)*`|(\$\w*\$)[\s\S]*?\1|--[^\n]*|\/\*[\s\S]*?\*\/|;|[\s\S]/g;

/**
 * The statements of a file, which end in `;`.
 *
 * @param token the tokens of another dialect
 */
export function splitStatements(sql: string, token = TOKEN): string[] {
  const statements: string[] = [];
  let statement = '';
  let hasCode = false;
  for (const [text] of sql.matchAll(token)) {
    if (text === ';') {
      if (hasCode) statements.push(statement.trim());
      statement = '';
      hasCode = false;
      continue;
    }
    statement += text;
    hasCode ||= !/^(?:\s|--|\/\*)/.test(text);
  }
  if (hasCode) statements.push(statement.trim());
  return statements;
}

/**
 * Fills in the placeholders of a file:
 * - `${ON_CLUSTER}`, directly after a name: ` ON CLUSTER 'name'`, or nothing.
 * - `${REPLICATED}`, directly before an engine: `Replicated`, or nothing.
 * - `${CLUSTER}`: the cluster's name, quoted. Statements that only a cluster needs are between the lines `--
 *   @cluster` and `-- @end`, and are omitted on a single node; those between `-- @single` and `-- @end` are
 *   omitted on a cluster.
 */
export function renderForCluster(sql: string, cluster: string | undefined): string {
  if (cluster !== undefined && !CLUSTER_NAME.test(cluster)) {
    throw new Error(`${cluster} is not a valid cluster name. Use letters, digits, _, - and .`);
  }
  const skipped = cluster === undefined ? 'cluster' : 'single';
  const values: Record<string, string> =
    cluster === undefined
      ? { ON_CLUSTER: '', REPLICATED: '' }
      : {
          ON_CLUSTER: ` ON CLUSTER '${cluster}'`,
          REPLICATED: 'Replicated',
          CLUSTER: `'${cluster}'`,
        };
  return sql
    .replaceAll(VARIANT, (whole, variant: string) => (variant === skipped ? '' : whole))
    .replaceAll(PLACEHOLDER, (whole, name: string, offset: number, text: string) => {
      const value = values[name];
      if (value !== undefined) return value;
      // Comments may mention any placeholder.
      if (/--[^\n]*$/.test(text.slice(0, offset))) return whole;
      throw new Error(`${whole} is not a placeholder that migrations can contain.`);
    });
}

const CLUSTER_NAME = /^[A-Za-z0-9_.-]{1,128}$/;
const VARIANT = /^-- @(cluster|single)\n[\s\S]*?^-- @end$/gm;
const PLACEHOLDER = /\$\{([A-Z_]+)\}/g;
