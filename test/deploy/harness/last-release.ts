// The release before this one, from the repository's history.

import { execFileSync } from 'node:child_process';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { readVersion } from '../../../schema/environment/build-info.ts';
import { newDirectory } from '../../harness/run-directory.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const ARCHIVE_BYTES_MAX = 512 * 1024 * 1024;
/** Not in the repository; the programs serve the files of the last two. */
const INSTALLED: readonly string[] = ['node_modules', 'console/dist', 'sdk/dist'];

/**
 * Its commit: the latest tag of another version, otherwise the one before the version in package.json was
 * raised. Undefined without history, as in a shallow clone.
 */
export function lastRelease(): string | undefined {
  const tags = git('tag', '--merged', 'HEAD', '--sort=-version:refname', '--list', 'v*');
  const tag = tags?.split('\n').find(name => name !== '' && name !== `v${readVersion()}`);
  if (tag !== undefined) return tag;
  const raised = git('log', '-1', '--format=%H', '-G"version":', '--', 'package.json');
  return raised ? git('rev-parse', '--verify', '--quiet', `${raised}^`) : undefined;
}

/** Its files, with the packages of this checkout. */
export async function unpackRelease(commit: string): Promise<string> {
  const root = await newDirectory('last-release');
  const input = execFileSync('git', ['archive', commit], {
    cwd: ROOT,
    maxBuffer: ARCHIVE_BYTES_MAX,
  });
  execFileSync('tar', ['--extract', '--directory', root], { input });
  for (const path of INSTALLED) {
    await mkdir(join(root, path, '..'), { recursive: true });
    await rm(join(root, path), { recursive: true, force: true });
    await symlink(join(ROOT, path), join(root, path));
  }
  return root;
}

function git(...args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return undefined;
  }
}
