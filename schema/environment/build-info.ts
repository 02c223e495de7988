import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The running release. */
export type BuildInfo = { readonly version: string; readonly commit: string };

const ROOT = join(import.meta.dirname, '..', '..');
const GIT_TIMEOUT_MS = 1_000;
const COMMIT = /^[0-9a-f]{7,64}$/;

/** The commit is BUILD_COMMIT, which the image build sets, or the HEAD of the repository. */
export function readBuildInfo(env: Readonly<Record<string, string | undefined>>): BuildInfo {
  const version = readVersion();
  const commit = env.BUILD_COMMIT?.trim() ?? '';
  return { version, commit: COMMIT.test(commit) ? commit : headCommit() };
}

/** Of package.json. */
export function readVersion(): string {
  return (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as BuildInfo).version;
}

/** Returns 'unknown' outside of a repository. */
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
