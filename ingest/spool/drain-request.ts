// The request to drain a spool, before its node is removed: the file `drain` in the directory of the
// node. `npm run spool -- drain` creates it. When no thread accepts rows any more, the node writes
// its confirmation into it: from then on, no data is added to the disk. The file survives restarts,
// so a restarted node accepts nothing either.

import { join } from 'node:path';
import type { FileSystem } from './file-system.ts';

export type DrainState = 'not requested' | 'requested' | 'confirmed';

const NAME = 'drain';
const CONFIRMATION = Buffer.from('This node accepts no rows.\n');

export function drainFile(root: string): string {
  return join(root, NAME);
}

export async function readDrainState(fs: FileSystem, root: string): Promise<DrainState> {
  if (!(await fs.list(root)).includes(NAME)) return 'not requested';
  const file = await fs.open(drainFile(root));
  try {
    const text = await file.read(0, CONFIRMATION.length);
    return text.equals(CONFIRMATION) ? 'confirmed' : 'requested';
  } finally {
    await file.close();
  }
}

/** Resolves when the request is durable. Keeps an earlier request and its confirmation. */
export async function requestDrain(fs: FileSystem, root: string): Promise<void> {
  if ((await readDrainState(fs, root)) === 'not requested') await write(fs, root, Buffer.alloc(0));
}

/** Precondition: no thread of the node accepts rows. */
export function confirmDrain(fs: FileSystem, root: string): Promise<void> {
  return write(fs, root, CONFIRMATION);
}

async function write(fs: FileSystem, root: string, text: Buffer): Promise<void> {
  const file = await fs.overwrite(drainFile(root));
  try {
    await file.write(text, 0);
    await file.datasync();
  } finally {
    await file.close();
  }
  await fs.syncDirectory(root);
}
