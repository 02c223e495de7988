// Hands segments over to the node as a separate log. The log gets the name that the node looks for
// only after all of it is durable. Segments keep their IDs, and each is marked as possibly in the
// warehouse in parts: the node counts their rows in ClickHouse and inserts only the missing ones.

import { join } from 'node:path';
import { markInParts } from '../insert/parts-marker.ts';
import type { FileSystem } from '../spool/file-system.ts';
import { sealFrame } from '../spool/frame.ts';
import { PIECE_BYTES } from '../spool/scan-frames.ts';
import { segmentName } from '../spool/segment.ts';
import { checksumSeed, encodeSegmentHeader } from '../spool/segment-header.ts';
import { requeuedName } from '../spool/spool-folders.ts';
import { readAroundErrors, type Salvage } from './salvage.ts';
import type { SpoolPath } from './spool-path.ts';

export type Salvaged = { readonly path: SpoolPath; readonly salvage: Salvage };

/** Resolves once the node owns them, regardless of later failures. */
export async function handOver(
  fs: FileSystem,
  cellFolder: string,
  id: string,
  segments: readonly Salvaged[],
): Promise<void> {
  const directory = join(cellFolder, requeuedName(id));
  const draft = `${directory}.draft`;
  await fs.makeDirectory(draft);
  for (const [i, segment] of segments.entries()) {
    const sequence = i + 1;
    const path = join(draft, segmentName(sequence));
    await markInParts(fs, draft, { path });
    if (isWhole(segment)) await fs.link(join(segment.path.folder, segment.path.name), path);
    else await writeSalvaged(fs, path, segment);
  }
  await fs.syncDirectory(draft);
  await fs.rename(draft, directory);
  await fs.syncDirectory(cellFolder);
}

/** Whether the file can be linked unchanged. */
export function isWhole({ salvage }: Salvaged): boolean {
  return salvage.isSealed && !salvage.isHeaderDamaged && salvage.damages.length === 0;
}

async function writeSalvaged(
  fs: FileSystem,
  path: string,
  { path: from, salvage: { header, frames } }: Salvaged,
): Promise<void> {
  const damaged = await fs.open(join(from.folder, from.name));
  try {
    const source = readAroundErrors(damaged);
    const file = await fs.create(path);
    try {
      let position = 0;
      const append = async (bytes: Buffer) => {
        await file.write(bytes, position);
        position += bytes.length;
      };
      await append(encodeSegmentHeader(header!));
      for (const { start, end } of frames)
        for (let pos = start; pos < end; pos += PIECE_BYTES)
          await append(await source.read(pos, Math.min(PIECE_BYTES, end - pos)));
      await append(sealFrame(checksumSeed(header!.id)));
      await file.datasync();
    } finally {
      await file.close();
    }
  } finally {
    await damaged.close();
  }
}
