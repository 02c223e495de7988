import { Directory, type SlotChanges } from '../../../ingest/authenticate/directory.ts';
import { type DirectoryData, rowsOf } from '../../../ingest/authenticate/directory-data.ts';
import { DirectoryTables } from '../../../ingest/authenticate/directory-tables.ts';
import { EVERYTHING } from '../../../ingest/authenticate/load-directory.ts';

/** Builds the whole directory at once, like a worker thread at its start. */
export function buildDirectory(data: DirectoryData, slots: SlotChanges = new Map()): Directory {
  const directory = new Directory();
  directory.apply(new DirectoryTables().apply(rowsOf(data), EVERYTHING, 0), slots);
  return directory;
}
