// The Native format for a client that names its client_protocol_version. The engine writes the
// format's oldest form only. A newer client expects two more things: information about each block,
// and after each column's type whether the column has an unusual serialization, which none here has.
//
// To find the columns, the values between them are walked through. The engine writes the types in
// binary, from which their full names are restored: as text it would omit DateTime's time zone.

import { Feed, type Parsing } from './feed.ts';
import { passColumn } from './layout.ts';
import { passType } from './type.ts';

/** The setting under which the engine has to write. */
export const TYPES_IN_BINARY = 'output_format_native_encode_types_in_binary_format';

/** ClickHouse's DBMS_MIN_REVISION_WITH_CUSTOM_SERIALIZATION. */
const CUSTOM_SERIALIZATION_REVISION = 54_454;
/** Field 1, no overflow; field 2, bucket -1; end. */
const BLOCK_INFO = Buffer.from([1, 0, 2, 0xff, 0xff, 0xff, 0xff, 0]);
const USUAL_SERIALIZATION = Buffer.from([0]);

export type Rewriting = { push(piece: Buffer): Buffer[] };

/** Converts the engine's output for a client of this revision (above 0). */
export function toRevision(revision: number): Rewriting {
  const feed = new Feed();
  const parser = blocks(feed, revision);
  parser.next();
  return {
    push(piece) {
      feed.give(piece);
      parser.next();
      return feed.collect();
    },
  };
}

function* blocks(feed: Feed, revision: number): Parsing<void> {
  for (;;) {
    // No information may be written about a block that does not follow.
    yield* feed.ready();
    feed.insert(BLOCK_INFO);
    const columns = yield* feed.varint();
    const rows = yield* feed.varint();
    for (let column = 0; column < columns; column += 1) {
      yield* feed.pass(yield* feed.varint());
      const { layout } = yield* passType(feed);
      if (revision >= CUSTOM_SERIALIZATION_REVISION) feed.insert(USUAL_SERIALIZATION);
      yield* passColumn(feed, layout, rows);
    }
  }
}
