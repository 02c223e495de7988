export type Outcome = {
  readonly name: string;
  readonly result: 'passed' | 'failed' | 'not run';
  readonly detail: string;
};

/** As Markdown, so that it can be stored with the notes of an installation. */
export function outcomeTable(outcomes: readonly Outcome[]): string {
  const rows = [
    { name: 'check', result: 'result', detail: 'detail' },
    ...outcomes.map(outcome => ({ ...outcome, detail: onOneLine(outcome.detail) })),
  ];
  const width = (column: 'name' | 'result') => Math.max(...rows.map(row => row[column].length));
  const lines = rows.map(
    ({ name, result, detail }) =>
      `| ${name.padEnd(width('name'))} | ${result.padEnd(width('result'))} | ${detail} |`,
  );
  const rule = `|${'-'.repeat(width('name') + 2)}|${'-'.repeat(width('result') + 2)}|---|`;
  return [lines[0], rule, ...lines.slice(1)].join('\n');
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').slice(0, DETAIL_CHARACTERS_MAX);
}

/** The stack trace of an error of ClickHouse is longer. */
const DETAIL_CHARACTERS_MAX = 300;
