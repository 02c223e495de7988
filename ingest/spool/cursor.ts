// The position of a log's reader: it has processed all segments below `sequence`. The file is
// replaced by rename, so a crash leaves the old or the new one. It has a checksum; a damaged cursor
// counts as missing. The reader then starts from the beginning, and its own lookups prevent
// duplicates.

import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { FileSystem } from './file-system.ts';

const FILE_BYTES_MAX = 256;

export async function loadCursor(fs: FileSystem, directory: string, name: string): Promise<number> {
  const file = `${name}.cursor`;
  if (!(await fs.list(directory)).includes(file)) return 0;
  const handle = await fs.open(join(directory, file));
  try {
    const [sequence, checksum] = (await handle.read(0, FILE_BYTES_MAX)).toString('utf8').split(' ');
    const isWhole = sequence !== undefined && String(crc32(sequence)) === checksum?.trim();
    return isWhole ? Number(sequence) : 0;
  } finally {
    await handle.close();
  }
}

export async function saveCursor(
  fs: FileSystem,
  directory: string,
  name: string,
  sequence: number,
): Promise<void> {
  const path = join(directory, `${name}.cursor`);
  const draft = `${path}.draft`;
  const handle = await fs.overwrite(draft);
  try {
    await handle.write(Buffer.from(`${sequence} ${crc32(String(sequence))}\n`), 0);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  await fs.rename(draft, path);
  await fs.syncDirectory(directory);
}
