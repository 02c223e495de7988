// The functions that a login can call: those of the engine's own categories that only compute with their
// arguments, and some of the category Other by name. A new function of the engine is refused unless its category is allowed.

import type { Engine } from '../engine.ts';

export type Functions = {
  isAllowed(name: string): boolean;
  /** The engine has a function of this name. */
  isKnown(name: string): boolean;
};

type Row = {
  readonly name: string;
  readonly canonical: string;
  readonly category: string;
  readonly isAggregate: number;
  readonly isCaseInsensitive: number;
};

/** Not: Dictionary, Embedded Dictionary, AI, Machine Learning, Introspection, Internal. */
const CATEGORIES = new Set([
  'Arithmetic',
  'Arrays',
  'Bit',
  'Bitmap',
  'Comparison',
  'Conditional',
  'Dates and Times',
  'Distance',
  'Encoding',
  'Encryption',
  'Financial',
  'Geo',
  'Geo Polygon',
  'Hash',
  'IP Address',
  'JSON',
  'Logical',
  'Map',
  'Mathematical',
  'Null',
  'NumericIndexedVector',
  'QBit',
  'Random Number',
  'Rounding',
  'String',
  'String Replacement',
  'String Search',
  'String Splitting',
  'Time Series',
  'Time Window',
  'Tuple',
  'Type Conversion',
  'URL',
  'UUID',
]);

/**
 * Excluded although their category is allowed: they return information about the process, or write formats that
 * need files.
 */
const NOT_ALLOWED = new Set(['chdb', 'formatRow', 'formatRowNoNewline']);

const OTHERS = (
  'bar blockNumber blockSize byteSize countDigits currentDatabase currentSchemas currentUser ' +
  'defaultValueOfArgumentType defaultValueOfTypeName digits displayName finalizeAggregation ' +
  'formatReadableDecimalSize formatReadableQuantity formatReadableSize formatReadableTimeDelta ' +
  'getSubcolumn hostName identity ignore indexHint initializeAggregation isConstant isDecimalOverflow ' +
  'MACNumToString MACStringToNum MACStringToOUI materialize minSampleSizeContinuous ' +
  'minSampleSizeConversion neighbor parseReadableSize parseReadableSizeOrNull parseReadableSizeOrZero ' +
  'parseTimeDelta revision rowNumberInAllBlocks rowNumberInBlock runningAccumulate runningDifference ' +
  'runningDifferenceStartingWithFirstValue throwIf toColumnTypeName toTypeName transform uptime ' +
  'variantElement variantType version visibleWidth'
).split(' ');

/** Parts of the syntax, and parameters of a statement, which the engine's parser turns into functions. */
const SYNTAX = ['lambda', 'exists', 'grouping', '_CAST'];

/** Table functions that read nothing. */
const TABLE_FUNCTIONS = 'numbers numbers_mt zeros generateSeries generate_series values view'.split(
  ' ',
);

export async function loadFunctions({ run }: Pick<Engine, 'run'>): Promise<Functions> {
  const rows = await ask<Row>(
    run,
    `SELECT name, alias_to = '' ? name : alias_to AS canonical, categories AS category,
            is_aggregate AS isAggregate, case_insensitive AS isCaseInsensitive
     FROM system.functions`,
  );
  const combinators = await ask<{ readonly name: string }>(
    run,
    'SELECT name FROM system.aggregate_function_combinators',
  );
  const suffixes = combinators.map(({ name }) => name);
  const byName = new Map(rows.map(row => [row.name, row]));
  const byLowerCase = new Map(
    rows.filter(row => row.isCaseInsensitive).map(row => [row.name.toLowerCase(), row]),
  );
  const find = (name: string) => byName.get(name) ?? byLowerCase.get(name.toLowerCase());

  function isAllowedRow(row: Row): boolean {
    const { canonical, isAggregate } = row;
    if (isAggregate) return true;
    if (NOT_ALLOWED.has(canonical)) return false;
    return CATEGORIES.has(find(canonical)?.category ?? '') || OTHERS.includes(canonical);
  }

  /** `sumIf` is the aggregate function sum with the combinator If. */
  function isAggregate(name: string): boolean {
    if (find(name)?.isAggregate) return true;
    return suffixes.some(
      suffix =>
        name.length > suffix.length &&
        name.endsWith(suffix) &&
        isAggregate(name.slice(0, -suffix.length)),
    );
  }

  return {
    isAllowed(name) {
      if (SYNTAX.includes(name) || TABLE_FUNCTIONS.includes(name)) return true;
      const row = find(name);
      return row === undefined ? isAggregate(name) : isAllowedRow(row);
    },
    isKnown: name => find(name) !== undefined,
  };
}

async function ask<Result>(run: Engine['run'], query: string): Promise<Result[]> {
  const scope = { settings: new Map(), parameters: new Map(), database: undefined };
  const { bytes } = await run(scope, query, 'JSONEachRow');
  const lines = Buffer.from(bytes).toString('utf8').split('\n');
  return lines.filter(line => line !== '').map(line => JSON.parse(line) as Result);
}
