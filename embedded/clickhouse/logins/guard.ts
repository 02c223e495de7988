// Checks which statements a login can run, on the syntax tree of the engine's own parser. Everything that is not
// listed here is refused: kinds of statements, parts of the syntax, functions, tables of the system. The
// permissions of the login's role already protect the rows of other workspaces (places.ts); this check covers
// what the engine gives to every role: files, settings and information about other users.

import { type Exception, exception } from '../exception.ts';
import type { Functions } from './functions.ts';

/** `tree`: the lines of EXPLAIN AST. `database`: the login's own. */
export function treeRefusal(
  tree: string,
  database: string,
  functions: Functions,
): Exception | undefined {
  const lines = tree.split('\n').filter(line => line !== '');
  const root = lines[0] ?? '';
  if (!ROOTS.test(root)) return exception('READONLY', 'A login can only read');
  for (const line of lines.slice(ROOT_IS_PART.test(root) ? 0 : 1)) {
    const what = nodeRefusal(line, database, functions);
    if (what !== undefined)
      return exception(
        'ACCESS_DENIED',
        `Not enough privileges: ${what} is not available to a login`,
      );
  }
  return undefined;
}

const ROOT_IS_PART = /^SelectWithUnionQuery\b/;

/** Other kinds of EXPLAIN count the parts of the tables of all workspaces. */
const ROOTS =
  /^(?:SelectWithUnionQuery|ShowTables|ShowColumns|ShowFunctions|ShowSetting|ShowCreate(?:Table|View|Database)Query|DescribeQuery|Exists(?:Table|View|Database)Query|Explain EXPLAIN (?:AST|SYNTAX|QUERY TREE))(?: |$)/;

/** Excluded: settings, APPLY (whose function is not in the tree), and all new syntax. */
const PARTS = new Set([
  'SelectWithUnionQuery',
  'SelectIntersectExceptQuery',
  'SelectQuery',
  'ExpressionList',
  'Function',
  'Identifier',
  'TableIdentifier',
  'Literal',
  'Asterisk',
  'QualifiedAsterisk',
  'ColumnsRegexpMatcher',
  'QualifiedColumnsRegexpMatcher',
  'ColumnsListMatcher',
  'QualifiedColumnsListMatcher',
  'ColumnsTransformerList',
  'ColumnsExceptTransformer',
  'ColumnsReplaceTransformer',
  'ColumnsReplaceTransformer::Replacement',
  'TablesInSelectQuery',
  'TablesInSelectQueryElement',
  'TableExpression',
  'TableJoin',
  'ArrayJoin',
  'SampleRatio',
  'Subquery',
  'WithElement',
  'WindowDefinition',
  'WindowListElement',
  'OrderByElement',
  'InterpolateElement',
]);

/** The engine shows each role only its own tables, columns and databases in these. */
const SYSTEM_TABLES = new Set(
  (
    'tables columns databases functions table_functions aggregate_function_combinators settings formats ' +
    'data_type_families data_skipping_indices table_engines time_zones collations keywords one numbers ' +
    'numbers_mt zeros zeros_mt contributors licenses build_options'
  )
    .split(' ')
    .map(name => `system.${name}`),
);

const INFORMATION_TABLES = new Set(
  (
    'tables columns schemata views key_column_usage referential_constraints statistics character_sets ' +
    'collations engines table_constraints'
  )
    .split(' ')
    .map(name => `information_schema.${name}`),
);

function nodeRefusal(line: string, database: string, functions: Functions): string | undefined {
  const [, kind = '', rest = ''] = /^ *(\S+)(?: (.*))?$/s.exec(line) ?? [];
  if (!PARTS.has(kind)) return kind === 'Set' ? 'the clause SETTINGS' : `${kind} in a statement`;
  const name = rest.split(' ')[0] ?? '';
  if (kind === 'Function') return functions.isAllowed(name) ? undefined : `the function ${name}`;
  if (kind === 'TableIdentifier') return tableRefusal(name, database);
  if (kind !== 'Identifier') return undefined;
  // After IN an identifier can be a table, and as an argument of arrayMap() it can be a function.
  if (/^(?:system|information_schema)\./i.test(name)) return tableRefusal(partsOf(name), database);
  const isFunction = functions.isKnown(name) && !functions.isAllowed(name);
  return isFunction ? `the function ${name}` : undefined;
}

/** `system.tables` of the column `system.tables.name`. */
function partsOf(name: string): string {
  return name.split('.').slice(0, 2).join('.');
}

function tableRefusal(name: string, database: string): string | undefined {
  const dot = name.indexOf('.');
  if (dot === -1 || name.startsWith(`${database}.`)) return undefined;
  const isShown = SYSTEM_TABLES.has(name) || INFORMATION_TABLES.has(name.toLowerCase());
  return isShown ? undefined : `the table ${name}`;
}
