import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Which release runs. */
export type BuildInfo = { readonly version: string; readonly commit: string };

const ROOT = join(import.meta.dirname, '..', '..');
const GIT_TIMEOUT_MS = 1_000;
const COMMIT = /^[0-9a-f]{7,64}$/;

/** The commit is that of BUILD_COMMIT, which an image's build sets, or of the repository that this runs from. */
export function readBuildInfo(env: Readonly<Record<string, string | undefined>>): BuildInfo {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as BuildInfo;
  const told = env.BUILD_COMMIT?.trim() ?? '';
  return { version, commit: COMMIT.test(told) ? told : headCommit() };
}

/** A release that was copied without its repository has none to tell. */
function headCommit(): string {
  try {
    const options = {
      cwd: ROOT,
      timeout: GIT_TIMEOUT_MS,
      stdio: 'pipe',
      encoding: 'utf8',
    } as const;
    return execFileSync('git', ['rev-parse', 'HEAD'], options).trim();
  } catch {
    return 'unknown';
  }
}
