// A data type in ClickHouse's binary encoding: its name, and the layout of its values.
// https://clickhouse.com/docs/sql-reference/data-types/data-types-binary-encoding

import { exception } from '../exception.ts';
import type { Feed, Parsing } from './feed.ts';
import type { Layout } from './layout.ts';

export type ColumnType = { readonly name: string; readonly layout: Layout };

/** Copies the type, as its name, to the output. */
export function* passType(feed: Feed): Parsing<ColumnType> {
  const type = yield* feed.taking(() => readType(feed));
  feed.insertText(type.name);
  return type;
}

/** Types without parameters: code, name, bytes of a value. */
const PLAIN = new Map<number, readonly [string, number]>([
  [0x00, ['Nothing', 1]],
  [0x01, ['UInt8', 1]],
  [0x02, ['UInt16', 2]],
  [0x03, ['UInt32', 4]],
  [0x04, ['UInt64', 8]],
  [0x05, ['UInt128', 16]],
  [0x06, ['UInt256', 32]],
  [0x07, ['Int8', 1]],
  [0x08, ['Int16', 2]],
  [0x09, ['Int32', 4]],
  [0x0a, ['Int64', 8]],
  [0x0b, ['Int128', 16]],
  [0x0c, ['Int256', 32]],
  [0x0d, ['Float32', 4]],
  [0x0e, ['Float64', 8]],
  [0x0f, ['Date', 2]],
  [0x10, ['Date32', 4]],
  [0x11, ['DateTime', 4]],
  [0x1d, ['UUID', 16]],
  [0x28, ['IPv4', 4]],
  [0x29, ['IPv6', 16]],
  [0x2d, ['Bool', 1]],
  [0x31, ['BFloat16', 2]],
  [0x32, ['Time', 4]],
]);
const DECIMAL_BYTES = new Map([
  [0x19, 4],
  [0x1a, 8],
  [0x1b, 16],
  [0x1c, 32],
]);
const INTERVALS =
  'Nanosecond Microsecond Millisecond Second Minute Hour Day Week Month Quarter Year'.split(' ');
const STRING: Layout = { kind: 'string' };
const POINT: Layout = { kind: 'tuple', of: [fixed(8), fixed(8)] };
const POINTS: Layout = { kind: 'array', of: POINT };
const LINES: Layout = { kind: 'array', of: POINTS };
const GEOMETRIES = new Map<string, Layout>([
  ['Point', POINT],
  ['Ring', POINTS],
  ['LineString', POINTS],
  ['Polygon', LINES],
  ['MultiLineString', LINES],
  ['MultiPolygon', { kind: 'array', of: LINES }],
]);
/** ClickHouse omits these parameters of JSON and Dynamic from the name if they have these values. */
const JSON_PATHS_DEFAULT = 1024;
const DYNAMIC_TYPES_DEFAULT = 32;

function* readType(feed: Feed): Parsing<ColumnType> {
  const code = yield* feed.byte();
  const plain = PLAIN.get(code);
  if (plain !== undefined) return { name: plain[0], layout: fixed(plain[1]) };
  const decimalBytes = DECIMAL_BYTES.get(code);
  if (decimalBytes !== undefined) {
    const [precision, scale] = yield* feed.bytes(2);
    return { name: `Decimal(${precision}, ${scale})`, layout: fixed(decimalBytes) };
  }
  return (yield* readScalar(feed, code)) ?? (yield* readNested(feed, code));
}

function* readScalar(feed: Feed, code: number): Parsing<ColumnType | undefined> {
  switch (code) {
    case 0x12:
      return { name: `DateTime(${quoted(yield* feed.text())})`, layout: fixed(4) };
    case 0x13:
      return { name: `DateTime64(${yield* feed.byte()})`, layout: fixed(8) };
    case 0x14: {
      const precision = yield* feed.byte();
      return { name: `DateTime64(${precision}, ${quoted(yield* feed.text())})`, layout: fixed(8) };
    }
    case 0x15:
      return { name: 'String', layout: STRING };
    case 0x16: {
      const bytes = yield* feed.varint();
      return { name: `FixedString(${bytes})`, layout: fixed(bytes) };
    }
    case 0x17:
      return yield* readEnum(feed, 1);
    case 0x18:
      return yield* readEnum(feed, 2);
    case 0x22:
      return { name: `Interval${INTERVALS[yield* feed.byte()]}`, layout: fixed(8) };
    case 0x2c: {
      const name = yield* feed.text();
      const layout = GEOMETRIES.get(name);
      if (layout === undefined) throw unsupported(name);
      return { name, layout };
    }
    case 0x34:
      return { name: `Time64(${yield* feed.byte()})`, layout: fixed(8) };
    default:
      return undefined;
  }
}

function* readNested(feed: Feed, code: number): Parsing<ColumnType> {
  switch (code) {
    case 0x1e: {
      const { name, layout } = yield* readType(feed);
      return { name: `Array(${name})`, layout: { kind: 'array', of: layout } };
    }
    case 0x1f:
      return tupleOf(yield* readTypes(feed, false));
    case 0x20:
      return tupleOf(yield* readTypes(feed, true));
    case 0x23: {
      const { name, layout } = yield* readType(feed);
      return { name: `Nullable(${name})`, layout: { kind: 'nullable', of: layout } };
    }
    case 0x26: {
      const { name, layout } = yield* readType(feed);
      // The dictionary has a place for NULL, so its values are of the type itself.
      const values = layout.kind === 'nullable' ? layout.of : layout;
      return { name: `LowCardinality(${name})`, layout: { kind: 'dictionary', of: values } };
    }
    case 0x27: {
      const key = yield* readType(feed);
      const value = yield* readType(feed);
      const of: Layout = { kind: 'tuple', of: [key.layout, value.layout] };
      return { name: `Map(${key.name}, ${value.name})`, layout: { kind: 'array', of } };
    }
    case 0x2a: {
      const types = yield* readTypes(feed, false);
      const of = types.map(({ layout }) => layout);
      return { name: `Variant(${names(types)})`, layout: { kind: 'variant', of } };
    }
    case 0x2b: {
      const types = yield* feed.byte();
      const name = types === DYNAMIC_TYPES_DEFAULT ? 'Dynamic' : `Dynamic(max_types=${types})`;
      return { name, layout: { kind: 'dynamic' } };
    }
    case 0x2e:
      return yield* readSimpleAggregate(feed);
    case 0x2f: {
      const types = yield* readTypes(feed, true);
      const { layout } = tupleOf(types);
      return { name: `Nested(${names(types)})`, layout: { kind: 'array', of: layout } };
    }
    case 0x30:
      return yield* readJson(feed);
    default:
      throw unsupported(`with code 0x${code.toString(16)}`);
  }
}

function* readTypes(feed: Feed, areNamed: boolean): Parsing<ColumnType[]> {
  const types: ColumnType[] = [];
  for (let left = yield* feed.varint(); left > 0; left -= 1) {
    const field = areNamed ? `${identifier(yield* feed.text())} ` : '';
    const { name, layout } = yield* readType(feed);
    types.push({ name: field + name, layout });
  }
  return types;
}

function tupleOf(types: readonly ColumnType[]): ColumnType {
  const of = types.map(({ layout }) => layout);
  // An empty tuple takes one byte.
  return {
    name: `Tuple(${names(types)})`,
    layout: of.length === 0 ? fixed(1) : { kind: 'tuple', of },
  };
}

function* readEnum(feed: Feed, bytes: 1 | 2): Parsing<ColumnType> {
  const values: string[] = [];
  for (let left = yield* feed.varint(); left > 0; left -= 1) {
    const name = quoted(yield* feed.text());
    values.push(`${name} = ${(yield* feed.bytes(bytes)).readIntLE(0, bytes)}`);
  }
  return { name: `Enum${8 * bytes}(${values.join(', ')})`, layout: fixed(bytes) };
}

function* readSimpleAggregate(feed: Feed): Parsing<ColumnType> {
  const aggregate = yield* feed.text();
  // Parameters are values of any type.
  if ((yield* feed.varint()) > 0) throw unsupported(`SimpleAggregateFunction(${aggregate}(…))`);
  const types = yield* readTypes(feed, false);
  const [first] = types;
  if (first === undefined) throw unsupported(`SimpleAggregateFunction(${aggregate})`);
  return {
    name: `SimpleAggregateFunction(${aggregate}, ${names(types)})`,
    layout: first.layout,
  };
}

function* readJson(feed: Feed): Parsing<ColumnType> {
  // The version of this encoding.
  yield* feed.byte();
  const paths = yield* feed.varint();
  const types = yield* feed.byte();
  const parts = types === DYNAMIC_TYPES_DEFAULT ? [] : [`max_dynamic_types=${types}`];
  if (paths !== JSON_PATHS_DEFAULT) parts.push(`max_dynamic_paths=${paths}`);
  const typed: (readonly [path: string, type: ColumnType])[] = [];
  for (let left = yield* feed.varint(); left > 0; left -= 1)
    typed.push([yield* feed.text(), yield* readType(feed)]);
  // They come in no order; names and values are sorted by path.
  typed.sort(([one], [other]) => (one < other ? -1 : 1));
  parts.push(...typed.map(([path, { name }]) => `${identifier(path)} ${name}`));
  for (let left = yield* feed.varint(); left > 0; left -= 1)
    parts.push(`SKIP ${identifier(yield* feed.text())}`);
  for (let left = yield* feed.varint(); left > 0; left -= 1)
    parts.push(`SKIP REGEXP ${quoted(yield* feed.text())}`);
  const name = parts.length === 0 ? 'JSON' : `JSON(${parts.join(', ')})`;
  return { name, layout: { kind: 'json', of: typed.map(([, { layout }]) => layout) } };
}

function fixed(bytes: number): Layout {
  return { kind: 'fixed', bytes };
}

function names(types: readonly ColumnType[]): string {
  return types.map(({ name }) => name).join(', ');
}

function identifier(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)
    ? name
    : `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ["'", "\\'"],
  ['\n', '\\n'],
  ['\t', '\\t'],
  ['\r', '\\r'],
  ['\0', '\\0'],
  ['\b', '\\b'],
  ['\f', '\\f'],
]);

function quoted(text: string): string {
  return `'${text.replaceAll(/[\\'\n\t\r\0\b\f]/g, character => ESCAPES.get(character) ?? '')}'`;
}

function unsupported(type: string) {
  return exception(
    'NOT_IMPLEMENTED',
    `The embedded engine cannot write the type ${type} in the Native format for clients that send a client_protocol_version; convert the column, for example with toString()`,
  );
}
