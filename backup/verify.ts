// Compares the files of a backup with its manifest, and checks the segments of its spool.

import { join } from 'node:path';
import { nodeFileSystem } from '../ingest/spool/file-system.ts';
import { STATE_TEXTS, verifySpool } from '../ingest/spool-command/verify.ts';
import { describeFile } from './files.ts';
import { type Manifest, readManifest } from './manifest.ts';

export type Damage = { readonly file: string; readonly reason: string };
export type VerifyResult = { readonly files: number; readonly damages: readonly Damage[] };

/** Rejects if the folder is not a complete backup. */
export async function verifyBackup(directory: string): Promise<VerifyResult> {
  const manifest = await readManifest(directory);
  const damages: Damage[] = [];
  for (const file of manifest.files) {
    const reason = await damageOf(directory, file);
    if (reason !== undefined) damages.push({ file: file.path, reason });
  }
  if (manifest.spool !== undefined)
    damages.push(...(await spoolDamages(join(directory, manifest.spool.folder))));
  return { files: manifest.files.length, damages };
}

async function damageOf(
  directory: string,
  { path, bytes, sha256 }: Manifest['files'][number],
): Promise<string | undefined> {
  try {
    const found = await describeFile(join(directory, path));
    if (found.bytes !== bytes) return `has ${found.bytes} bytes instead of ${bytes}`;
    return found.sha256 === sha256 ? undefined : 'has changed';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'is missing';
    throw error;
  }
}

/** Damage that the spool had before it was copied. */
async function spoolDamages(spool: string): Promise<Damage[]> {
  const files = await verifySpool(nodeFileSystem, spool);
  return files
    .filter(({ isQuarantined, state }) => !isQuarantined && state !== 'whole' && state !== 'open')
    .map(({ file, state }) => ({ file: join('spool', file), reason: STATE_TEXTS[state] }));
}
