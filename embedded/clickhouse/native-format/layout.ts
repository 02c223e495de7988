// How the values of a column are laid out in the Native format, as far as it is needed to find
// their end.

import { exception } from '../exception.ts';
import type { Feed, Parsing } from './feed.ts';
import { type ColumnType, passType } from './type.ts';

export type Layout =
  | { readonly kind: 'fixed'; readonly bytes: number }
  | { readonly kind: 'string' }
  /** Its types are in the prefix of its values. */
  | { readonly kind: 'dynamic' }
  /** Its paths with a type; the other paths are in the prefix of its values. */
  | { readonly kind: 'json'; readonly of: readonly Layout[] }
  | { readonly kind: 'nullable' | 'array' | 'dictionary'; readonly of: Layout }
  | { readonly kind: 'tuple' | 'variant'; readonly of: readonly Layout[] };

/** The discriminator of a NULL in a Variant. */
const NULL_VARIANT = 255;
const STRING: Layout = { kind: 'string' };
/** Versions of the serialization of Dynamic and JSON; the engine writes the first by default. */
const VERSION_WITH_LIMIT = { dynamic: 1, json: 0 } as const;
const VERSION_WITHOUT_LIMIT = 2;
const JSON_AS_TEXT = 1;
/** The variant for values of rare types, which is in every Dynamic. */
const SHARED_VARIANT = { name: 'SharedVariant', layout: STRING };
/** The paths beyond the limit of a JSON, and their values. */
const SHARED_PATHS: Layout = { kind: 'array', of: { kind: 'tuple', of: [STRING, STRING] } };

export function* passColumn(feed: Feed, layout: Layout, rows: number): Parsing<void> {
  if (rows > 0) yield* passValues(feed, yield* passPrefix(feed, layout), rows);
}

/** The prefixes of all nested values precede the values. */
function* passPrefix(feed: Feed, layout: Layout): Parsing<Layout> {
  switch (layout.kind) {
    case 'fixed':
    case 'string':
      return layout;
    case 'dictionary':
      yield* feed.pass(8);
      return layout;
    case 'nullable':
    case 'array':
      return { kind: layout.kind, of: yield* passPrefix(feed, layout.of) };
    case 'variant':
      yield* feed.pass(8);
      return { kind: 'variant', of: yield* passPrefixes(feed, layout.of) };
    case 'tuple':
      return { kind: 'tuple', of: yield* passPrefixes(feed, layout.of) };
    case 'dynamic':
      return yield* passDynamicPrefix(feed);
    case 'json':
      return yield* passJsonPrefix(feed, layout.of);
  }
}

function* passPrefixes(feed: Feed, layouts: readonly Layout[]): Parsing<Layout[]> {
  const result: Layout[] = [];
  for (const layout of layouts) result.push(yield* passPrefix(feed, layout));
  return result;
}

function* passDynamicPrefix(feed: Feed): Parsing<Layout> {
  yield* passVersion(feed, 'dynamic');
  const types: ColumnType[] = [SHARED_VARIANT];
  for (let left = yield* feed.varint(); left > 0; left -= 1) types.push(yield* passType(feed));
  types.sort((one, other) => (one.name < other.name ? -1 : 1));
  return yield* passPrefix(feed, { kind: 'variant', of: types.map(({ layout }) => layout) });
}

function* passJsonPrefix(feed: Feed, typed: readonly Layout[]): Parsing<Layout> {
  const version = yield* passVersion(feed, 'json');
  if (version === JSON_AS_TEXT) return STRING;
  const paths = yield* feed.varint();
  yield* feed.passStrings(paths);
  const others = Array.from({ length: paths }, (): Layout => ({ kind: 'dynamic' }));
  return yield* passPrefix(feed, { kind: 'tuple', of: [...typed, ...others, SHARED_PATHS] });
}

function* passVersion(feed: Feed, kind: 'dynamic' | 'json'): Parsing<number> {
  const version = yield* feed.uint64();
  if (version === VERSION_WITH_LIMIT[kind]) yield* feed.varint();
  else if (version !== VERSION_WITHOUT_LIMIT && (kind === 'dynamic' || version !== JSON_AS_TEXT))
    throw exception(
      'NOT_IMPLEMENTED',
      'The embedded engine cannot write Dynamic and JSON in their flattened form for clients that send a client_protocol_version',
    );
  return version;
}

function* passValues(feed: Feed, layout: Layout, rows: number): Parsing<void> {
  if (rows === 0) return;
  switch (layout.kind) {
    case 'fixed':
      return yield* feed.pass(rows * layout.bytes);
    case 'string':
      return yield* feed.passStrings(rows);
    case 'nullable':
      yield* feed.pass(rows);
      return yield* passValues(feed, layout.of, rows);
    case 'array':
      // Offsets of the ends of the arrays; the last one is the number of all elements.
      yield* feed.pass((rows - 1) * 8);
      return yield* passValues(feed, layout.of, yield* feed.uint64());
    case 'tuple':
      for (const part of layout.of) yield* passValues(feed, part, rows);
      return;
    case 'dictionary':
      return yield* passDictionary(feed, layout.of);
    case 'variant':
      return yield* passVariant(feed, layout.of, rows);
    case 'dynamic':
    case 'json':
      throw new Error('the prefix of these values was not read');
  }
}

/** LowCardinality: the distinct values, then for each row the number of its value. */
function* passDictionary(feed: Feed, values: Layout): Parsing<void> {
  const flags = yield* feed.bytes(8);
  const indexBytes = 2 ** (flags[0] ?? 0);
  yield* passValues(feed, values, yield* feed.uint64());
  const rows = yield* feed.uint64();
  yield* feed.pass(rows * indexBytes);
}

function* passVariant(feed: Feed, parts: readonly Layout[], rows: number): Parsing<void> {
  const counts = parts.map(() => 0);
  for (let row = 0; row < rows; row += 1) {
    const part = yield* feed.byte();
    if (part !== NULL_VARIANT) counts[part]! += 1;
  }
  for (const [index, part] of parts.entries()) yield* passValues(feed, part, counts[index]!);
}
