// The directory on disk, for starts while Postgres is unavailable. The file is one header line and
// the directory as JSON. The header contains the time at which Postgres last confirmed the directory.
// The checksum covers both, so torn writes and edited times are detected.

import { createHash } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { type DirectoryData, directoryDataSchema } from './directory-data.ts';

/**
 * Keys revoked since the snapshot would still be accepted, so a day is the longest acceptable age.
 */
export const SNAPSHOT_AGE_MAX_MS = 24 * 60 * 60 * 1000;

const FORMAT = 1;
const headerSchema = z.object({
  format: z.literal(FORMAT),
  confirmedAtMs: z.number(),
  sha256: z.string(),
});

export type DirectorySnapshot = { readonly confirmedAtMs: number; readonly data: DirectoryData };
/** For the log only. */
type SnapshotRefusal = { readonly refusal: string };

export async function readSnapshot(
  path: string,
  nowMs: number,
): Promise<DirectorySnapshot | SnapshotRefusal> {
  try {
    return parseSnapshot(await readFile(path, 'utf8'), nowMs);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      return { refusal: 'the file does not exist' };
    return { refusal: `it cannot be read: ${(error as Error).message}` };
  }
}

function parseSnapshot(text: string, nowMs: number): DirectorySnapshot | SnapshotRefusal {
  const headerEnd = text.indexOf('\n');
  const header = headerSchema.safeParse(parseJson(text.slice(0, Math.max(headerEnd, 0))));
  if (!header.success)
    return { refusal: 'the header is damaged or was written by another version' };
  const { confirmedAtMs, sha256 } = header.data;
  const body = text.slice(headerEnd + 1);
  if (sha256 !== checksum(confirmedAtMs, body)) return { refusal: 'the checksum does not match' };
  // Both directions: the age of a snapshot from the future is just as uncertain.
  if (Math.abs(nowMs - confirmedAtMs) > SNAPSHOT_AGE_MAX_MS) {
    return {
      refusal: `it is too old: it was last confirmed at ${new Date(confirmedAtMs).toISOString()}`,
    };
  }
  const data = directoryDataSchema.safeParse(parseJson(body));
  if (!data.success) return { refusal: 'the body was written by another version' };
  return { confirmedAtMs, data: data.data };
}

/** Atomic: a reader finds the old snapshot or the new one. Only the owner can read the file. */
export async function writeSnapshot(
  path: string,
  { confirmedAtMs, data }: DirectorySnapshot,
): Promise<void> {
  const body = JSON.stringify(data);
  const header = { format: FORMAT, confirmedAtMs, sha256: checksum(confirmedAtMs, body) };
  const temporary = `${path}.tmp`;
  const file = await open(temporary, 'w', 0o600);
  try {
    // The mode passed to open applies only to new files; a file left by a crash may have another
    // mode.
    await file.chmod(0o600);
    await file.writeFile(`${JSON.stringify(header)}\n${body}`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  const directory = await open(dirname(path), 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function checksum(confirmedAtMs: number, body: string): string {
  return createHash('sha256').update(`${confirmedAtMs}\n`).update(body).digest('hex');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
