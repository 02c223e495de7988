/** One measurement: its name, then its figures by column. */
export type Row = Readonly<Record<string, string | number>>;

/** Numbers are right-aligned, all else left-aligned; the columns are those of the first row. */
export function printTable(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const cells = rows.map(row => columns.map(column => printed(row[column])));
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...cells.map(line => line[index]!.length)),
  );
  const line = (texts: readonly string[], row?: Row) =>
    texts
      .map((text, index) =>
        typeof row?.[columns[index]!] === 'number'
          ? text.padStart(widths[index]!)
          : text.padEnd(widths[index]!),
      )
      .join('  ')
      .trimEnd();
  return [
    line(columns, rows[0]),
    line(widths.map(width => '-'.repeat(width))),
    ...cells.map((texts, index) => line(texts, rows[index])),
    '',
  ].join('\n');
}

function printed(value: string | number | undefined): string {
  return typeof value === 'number' ? value.toLocaleString('en-US') : (value ?? '');
}
