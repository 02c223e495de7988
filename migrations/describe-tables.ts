// docs/tables.md: the views and tables that analysts read, with the comment of each and of its columns.

import type { ClickHouseClient } from '@clickhouse/client';

type Table = { readonly name: string; readonly comment: string; readonly engine: string };
type Column = {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly comment: string;
};

const HEAD = `# Tables and views

This page lists every view and table of the warehouse with its columns. \`npm run tables\` generates this page from a migrated database.
For the views to use in queries, see [For analysts](analysts.md#views).
`;

/** Returns the text of docs/tables.md for a database on a single node with all migrations applied. */
export async function describeTables(client: ClickHouseClient): Promise<string> {
  const tables = await rowsOf<Table>(
    client,
    `SELECT name, comment, engine FROM system.tables
     WHERE database = currentDatabase() AND name != 'schema_migrations' ORDER BY name`,
  );
  const columns = await rowsOf<Column>(
    client,
    `SELECT table, name, type, comment FROM system.columns WHERE database = currentDatabase() ORDER BY table, position`,
  );
  const comments = new Map(
    columns.map(({ table, name, comment }) => [`${table}.${name}`, comment]),
  );
  const commentOf = ({ table, name, comment }: Column) =>
    // A view's columns have no comments of their own.
    comment || comments.get(`${table}_raw.${name}`) || '';
  const [views, stored] = [
    tables.filter(({ engine }) => engine === 'View'),
    tables.filter(({ engine }) => engine !== 'View'),
  ];
  const describe = (table: Table) => describeTable(table, columns, commentOf);
  return [HEAD, '## Views\n', ...views.map(describe), '## Tables\n', ...stored.map(describe)].join(
    '\n',
  );
}

function describeTable(
  { name, comment }: Table,
  columns: readonly Column[],
  commentOf: (column: Column) => string,
): string {
  const rows = columns
    .filter(({ table }) => table === name)
    .map(column => `| \`${column.name}\` | \`${column.type}\` | ${escaped(commentOf(column))} |`);
  return `### ${name}\n\n${escaped(comment)}\n\n| column | type | contains |\n|---|---|---|\n${rows.join('\n')}\n`;
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}

async function rowsOf<Row>(client: ClickHouseClient, query: string): Promise<Row[]> {
  const result = await client.query({ query, format: 'JSONEachRow' });
  return result.json<Row>();
}
