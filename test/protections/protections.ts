// The protections against loss, duplication and access across tenants, and how to remove each: a
// text that occurs exactly once in the source, and its replacement. A test must fail without each
// of them.

export type Protection = {
  readonly name: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  readonly missedBy: SimulatedWorld | NamedTest;
};

export type SimulatedWorld = { readonly world: string };
export type NamedTest = { readonly file: string; readonly test: string };

const POWER = { world: 'power losses and a failing warehouse' };
const FAILING_DISK = { world: 'a disk that fails' };
const REFUSED = { world: 'rows that the warehouse rejects' };
const AFTER_THE_WINDOW = { world: 'retries after the deduplication window' };
const AWAY = { world: 'databases that are unavailable for hours' };
const LOST_PARTS = { world: 'restarts that lose unsynced data' };
const WAITING = { world: 'waiting segments' };
const MOVING = { world: 'a log whose partitions move in the middle of an insert' };
const SET_BACK = { world: 'a log whose offsets are set back' };
const LOG_LOST_PARTS = { world: 'a log with restarts that lose unsynced data' };
const REPLICAS = { file: 'test/ingest/insert/replicas.test.ts' };
const SETTLED_REPLICAS = { file: 'test/ingest/settle/replicas.test.ts' };
const GROUPS = { file: 'test/ingest/insert/groups.test.ts' };

export const PROTECTIONS: readonly Protection[] = [
  {
    name: 'the response is sent after the acknowledgement of the brokers',
    file: 'ingest/replicated-log/lane-log.ts',
    find: '    await this.options.lane.send(value);\n',
    replace: '    void this.options.lane.send(value).catch(() => undefined);\n',
    missedBy: MOVING,
  },
  {
    name: 'the range of a block is committed before its first attempt',
    file: 'ingest/replicated-log/partition-reader.ts',
    find: 'if (options.opensBlocks && state.openEnd !== end)',
    replace: 'if (false)',
    missedBy: SET_BACK,
  },
  {
    name: 'another member takes the same range',
    file: 'ingest/replicated-log/partition-state.ts',
    find: 'openEnd: openEnd > delivered',
    replace: 'openEnd: openEnd > highWatermark',
    missedBy: MOVING,
  },
  {
    name: 'rows that an earlier session may have tried are counted',
    file: 'ingest/replicated-log/partition-reader.ts',
    find: 'const isTried = isRepeated || position < state.triedEnd;',
    replace: 'const isTried = isRepeated;',
    missedBy: SET_BACK,
  },
  {
    name: 'a record that is in the log twice is inserted once',
    file: 'ingest/replicated-log/cell-log-readers.ts',
    find: 'contents: isCopy ? undefined : contents',
    replace: 'contents',
    missedBy: MOVING,
  },
  {
    name: 'after a restart of ClickHouse, delivered records are looked at again',
    file: 'ingest/replicated-log/partition-state.ts',
    find: 'since >= first && since < delivered ? since : delivered',
    replace: 'delivered',
    missedBy: LOG_LOST_PARTS,
  },
  {
    name: 'a file is synced before the response is sent',
    file: 'ingest/spool/spool-log.ts',
    find: '      await segment.file.datasync();\n      const bytes = end - segment.durableBytes;',
    replace: '      const bytes = end - segment.durableBytes;',
    missedBy: POWER,
  },
  {
    name: 'the directory is synced when a segment is created',
    file: 'ingest/spool/segment.ts',
    find: '    await fs.syncDirectory(directory);\n',
    replace: '',
    missedBy: POWER,
  },
  {
    name: 'the response is sent after the commit',
    file: 'ingest/accept/accept-batch.ts',
    find: '    await log.commit();\n',
    replace: '    void log.commit().catch(() => undefined);\n',
    missedBy: POWER,
  },
  {
    name: 'a message ID is remembered only after the sync',
    file: 'ingest/accept/accept-batch.ts',
    find: '    await log.commit();\n    remember(duplicates, recent);',
    replace: '    remember(duplicates, recent);\n    await log.commit();',
    missedBy: FAILING_DISK,
  },
  {
    name: 'a failed write or sync is final for its file',
    file: 'ingest/spool/spool-log.ts',
    find: '    segment.hasFailed = true;\n',
    replace: '',
    missedBy: FAILING_DISK,
  },
  {
    name: 'the checksum of a frame is verified',
    file: 'ingest/spool/scan-frames.ts',
    find: '  return checksum === frame.checksum ? frame : undefined;\n',
    replace: '  return frame;\n',
    missedBy: POWER,
  },
  {
    name: 'the checksum of a segment header is verified',
    file: 'ingest/spool/segment-header.ts',
    find: '  if (checksumOf(bytes, json) !== bytes.readUInt32LE(CHECKSUM_AT)) return undefined;\n',
    replace: '',
    missedBy: { file: 'test/ingest/spool/flipped-bits.test.ts', test: 'of a header' },
  },
  {
    name: 'sequences never fall below a cursor',
    file: 'ingest/cell-pipeline.ts',
    find: 'Math.max(recovery.nextSequence, ...cursors.values())',
    replace: 'recovery.nextSequence',
    missedBy: POWER,
  },
  {
    name: 'the cursor moves only after the rows are inserted',
    file: 'ingest/spool/reader.ts',
    find: '      if (left.length > 0 && !(await options.handle(left))) return;\n',
    replace:
      '      await saveCursor(options.fs, options.directory, name, segments.at(-1)!.sequence + 1);\n      if (left.length > 0 && !(await options.handle(left))) return;\n',
    missedBy: POWER,
  },
  {
    name: 'nothing is quarantined while a database is unavailable',
    file: 'ingest/spool/reader.ts',
    find: '      if (isUnreadable(error)) unreadable++;\n',
    replace: '      if ((error as { code?: unknown }).code === undefined) unreadable++;\n',
    missedBy: AWAY,
  },
  {
    name: 'a segment quarantined by one reader is still read by the other',
    file: 'ingest/spool/set-aside.ts',
    find: 'await fs.link(path, to);',
    replace: 'await fs.rename(path, to);',
    missedBy: { file: 'test/ingest/spool/reader.test.ts', test: 'the other still reads' },
  },
  {
    name: 'waits do not grow during an outage',
    file: 'ingest/limits.ts',
    find: 'export const RETRY_WAIT_MAX_MS = 1_500;',
    replace: 'export const RETRY_WAIT_MAX_MS = 60_000;',
    missedBy: AWAY,
  },
  {
    name: 'a segment is retained until ClickHouse has been queried for it',
    file: 'ingest/spool/shelf.ts',
    find: 'const isOldEnough = mayForget && ',
    replace: 'const isOldEnough = ',
    missedBy: { world: 'hours without databases, restarts and a failing disk' },
  },
  {
    name: 'the retention of a segment restarts when it is sent again',
    file: 'ingest/insert/inserter.ts',
    find: '        deps.keepAnew(group);\n',
    replace: '',
    missedBy: { world: 'hours without databases, restarts and a failing disk' },
  },
  {
    name: 'a segment is retained until both readers have processed it',
    file: 'ingest/spool/shelf.ts',
    find: 'Math.min(...this.positions.values())',
    replace: 'Math.max(...this.positions.values())',
    missedBy: POWER,
  },
  {
    name: 'inserts have a deduplication token',
    file: 'ingest/insert/insert-block.ts',
    find: 'insert_deduplication_token: progress.token',
    replace: 'insert_deduplication_token: unique',
    missedBy: POWER,
  },
  {
    name: 'ClickHouse is queried for the rows of a block with an unknown outcome',
    file: 'ingest/insert/insert-block.ts',
    find: "progress.isUnknown ? await presenceOf(deps, block) : 'none'",
    replace: "progress.isUnknown && block.rows < 0 ? await presenceOf(deps, block) : 'none'",
    missedBy: AFTER_THE_WINDOW,
  },
  {
    name: 'an insert waits until earlier queries with the block have ended',
    file: 'ingest/insert/insert-block.ts',
    find: 'running.every(count => Number(count) === 0)',
    replace: 'running.every(count => Number(count) >= 0)',
    missedBy: AFTER_THE_WINDOW,
  },
  {
    name: 'the success of a repeated token is verified',
    file: 'ingest/insert/insert-block.ts',
    find: '  return isCertain;\n',
    replace: '  return isCertain || true;\n',
    missedBy: { world: 'tokens that are logged without their rows' },
  },
  {
    name: 'a marker records that a block may be partly inserted',
    file: 'ingest/insert/insert-block.ts',
    find: '  await deps.beforeParts(block);\n',
    replace: '',
    missedBy: REFUSED,
  },
  {
    name: 'a rejected block is divided',
    file: 'ingest/insert/insert-block.ts',
    find: '  if (block.rows === 1) {\n',
    replace: '  if (block.rows >= 1) {\n',
    missedBy: REFUSED,
  },
  {
    name: 'retained segments are verified after a restart of ClickHouse',
    file: 'ingest/insert/inserter.ts',
    find: '      await this.verifyKept();\n',
    replace: '',
    missedBy: LOST_PARTS,
  },
  {
    name: 'the verification includes segments that the outbox has not processed',
    file: 'ingest/spool/shelf.ts',
    find: '...this.segments.slice(0, this.indexOf(position))',
    replace: '...this.segments.slice(0, 0 * position)',
    missedBy: LOST_PARTS,
  },
  {
    name: 'the verification includes the segment whose cursor is being saved',
    file: 'ingest/insert/inserter.ts',
    find: '.filter(({ path }) => !paths.has(path))',
    replace: '.filter(({ path }) => paths.has(path) && false)',
    missedBy: LOST_PARTS,
  },
  {
    name: 'the verification includes inserts in progress during the restart',
    file: 'ingest/insert/inserter.ts',
    find: '      if (this.losses === losses) break;\n',
    replace: '      if (this.losses >= losses) break;\n',
    missedBy: LOST_PARTS,
  },
  {
    name: 'a group is recorded durably before its first attempt',
    file: 'ingest/insert/markers.ts',
    find: '  await file.close();\n  await fs.syncDirectory(directory);\n',
    replace: '  await file.close();\n',
    missedBy: { ...GROUPS, test: 'a group is durable before its first attempt' },
  },
  {
    name: 'a group is the same at each attempt',
    file: 'ingest/insert/groups.ts',
    find: '    if (known !== undefined) return this.takeAgain(known, waiting);\n',
    replace: '',
    missedBy: { ...GROUPS, test: 'a group is durable before its first attempt' },
  },
  {
    name: 'a segment that may have been tried alone is inserted alone',
    file: 'ingest/insert/groups.ts',
    find: '    if (!this.hasTaken && !first.isFresh) this.tried.add(first);\n',
    replace: '',
    missedBy: WAITING,
  },
  {
    name: 'after the loss of a cursor, ClickHouse is queried before segments are grouped',
    file: 'ingest/insert/groups.ts',
    find: 'if (run.length === 1 || inherited.length === 0) return run;',
    replace: 'if (run.length > 0 || inherited.length === 0) return run;',
    missedBy: { ...GROUPS, test: 'a cursor that is lost' },
  },
  {
    name: 'the query for stored rows covers the whole group',
    file: 'ingest/insert/insert-block.ts',
    find: 'segmentIds.map(id =>',
    replace: 'segmentIds.slice(0, 1).map(id =>',
    missedBy: { ...GROUPS, test: 'is asked over the whole group' },
  },
  {
    name: 'only one process uses a spool',
    file: 'ingest/spool/directory-lock.ts',
    find: "database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');",
    replace: "database.exec('PRAGMA journal_mode = MEMORY');",
    missedBy: { file: 'test/faults/one-spool.test.ts', test: 'a second process on the same' },
  },
  {
    name: 'requests are refused before the spool is full',
    file: 'ingest/spool/budget.ts',
    find: "    return Atomics.load(this.unsent, this.slot) >= this.bytesMax ? 'spool full' : 'room';",
    replace: "    return 'room';",
    missedBy: {
      file: 'test/faults/spool-full.test.ts',
      test: 'the limit applies across all threads',
    },
  },
  {
    name: 'functions of the owner search pg_temp last',
    file: 'migrations/postgres/0055_definer_functions.sql',
    find: 'SET search_path = pg_catalog, public, pg_temp',
    replace: 'SET search_path = pg_catalog, public',
    missedBy: {
      file: 'test/graphql-api/app/definer-functions.test.ts',
      test: 'has none of them run by a function of the owner',
    },
  },
  {
    name: 'the roles of the programs cannot create temporary tables',
    file: 'migrations/migrate-postgres.ts',
    find: '} FROM PUBLIC`);',
    replace: '} FROM service_app`);',
    missedBy: {
      file: 'test/graphql-api/app/definer-functions.test.ts',
      test: 'may create neither temporary tables nor any others',
    },
  },
  {
    name: 'only the system role expires overdue deals',
    file: 'migrations/postgres/0055_definer_functions.sql',
    find: 'REVOKE EXECUTE ON FUNCTION expire_overdue_deals FROM service_app;',
    replace: '',
    missedBy: {
      file: 'test/graphql-api/app/definer-functions.test.ts',
      test: 'ends no deal of another agency',
    },
  },
  {
    name: 'the question for the rows of a block goes to all replicas',
    file: 'ingest/insert/insert-block.ts',
    find: 'const present = Math.max(...answers.map(Number));',
    replace: 'const present = Number(answers[0]);',
    missedBy: { ...REPLICAS, test: 'has not received the block yet does not hide it' },
  },
  {
    name: 'a block counts as stored when a quorum of replicas has it',
    file: 'ingest/insert/insert-block.ts',
    find: 'if (present > 0 && holders < quorum)',
    replace: 'if (holders < 0)',
    missedBy: { ...REPLICAS, test: 'with a quorum, a block is stored only when enough' },
  },
  {
    name: 'the copies of an event go to the same shard',
    file: 'ingest/insert/shard-of-row.ts',
    find: 'return hash % shards;',
    replace: 'return (hash + crc32(row)) % shards;',
    missedBy: { ...REPLICAS, test: 'a copy of an event goes to the shard that has the event' },
  },
  {
    name: 'a day is settled when every replica has merged it',
    file: 'ingest/settle/replicated.ts',
    find: "return parts === '1' && overlap === '0';",
    replace: 'return parts !== overlap;',
    missedBy: {
      ...SETTLED_REPLICAS,
      test: 'a day is settled when it is one part on every replica',
    },
  },
  {
    name: 'late events are recorded as moved when every replica has them',
    file: 'ingest/settle/replicated.ts',
    find: "      await sync(fetchAll('events_late'));\n",
    replace: '',
    missedBy: { ...SETTLED_REPLICAS, test: 'only when every replica has them' },
  },
  {
    name: 'a run leaves out the inserts that still run on a replica',
    file: 'ingest/settle/settle-events.ts',
    find: 'const until = earliest(own!, theirs?.until);',
    replace: 'const until = own!;',
    missedBy: { ...SETTLED_REPLICAS, test: 'ends before the inserts that still run on one' },
  },
];

/** The source without the protection; throws if the text has changed. */
export function without({ name, file, find, replace }: Protection, source: string): string {
  const parts = source.split(find);
  if (parts.length !== 2)
    throw new Error(`${file} has changed: "${name}" can no longer be removed as written here.`);
  return parts.join(replace);
}
