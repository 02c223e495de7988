// Reads every segment and every quarantined file, and verifies every checksum.

import type { FileSystem } from '../spool/file-system.ts';
import { UnknownFormat } from '../spool/segment-header.ts';
import { listLogFolders } from '../spool/spool-folders.ts';
import { type Salvage, salvage } from './salvage.ts';
import { nameInSpool, type QuarantinedFile, quarantinedIn, segmentsOf } from './spool-path.ts';

export type Verified = {
  /** `<cell>/<thread>/<name>` */
  readonly file: string;
  readonly isQuarantined: boolean;
  /**
   * `open`: undamaged and not sealed; a node is writing to it or was killed while doing so. `partly
   * whole`: some rows are intact, or only its header is damaged. `not a segment`: not recognized.
   */
  readonly state:
    | 'whole'
    | 'open'
    | 'partly whole'
    | 'nothing whole'
    | 'later release'
    | 'not a segment';
  /** The number of intact rows. */
  readonly rows: number;
  readonly damagedBytes: number;
};

export async function verifySpool(fs: FileSystem, spool: string): Promise<Verified[]> {
  const results: Verified[] = [];
  for (const log of await listLogFolders(fs, spool)) {
    for (const file of await segmentsOf(fs, log)) results.push(...(await verify(fs, file, false)));
    for (const file of await quarantinedIn(fs, log))
      results.push(...(await verify(fs, file, true)));
  }
  return results;
}

/** Empty if the node has removed the file in the meantime. */
async function verify(
  fs: FileSystem,
  path: QuarantinedFile,
  isQuarantined: boolean,
): Promise<Verified[]> {
  const file = nameInSpool(path);
  const unknown = { file, isQuarantined, rows: 0, damagedBytes: 0 };
  if (path.sequence === undefined) return [{ ...unknown, state: 'not a segment' }];
  try {
    const found = await salvage(fs, path);
    const damagedBytes = found.damages.reduce((sum, { start, end }) => sum + end - start, 0);
    return [{ file, isQuarantined, state: stateOf(found), rows: found.rows, damagedBytes }];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    if (error instanceof UnknownFormat) return [{ ...unknown, state: 'later release' }];
    throw error;
  }
}

/** For people; JSON has the states themselves. */
export const STATE_TEXTS: Record<Verified['state'], string> = {
  whole: 'intact',
  open: 'intact, not sealed',
  'partly whole': 'partly intact',
  'nothing whole': 'damaged',
  'later release': 'written by a later release',
  'not a segment': 'not part of a segment',
};

function stateOf({ isHeaderDamaged, damages, rows, isSealed }: Salvage): Verified['state'] {
  if (!isHeaderDamaged && damages.length === 0) return isSealed ? 'whole' : 'open';
  return rows > 0 ? 'partly whole' : 'nothing whole';
}
