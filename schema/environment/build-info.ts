import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The running release. */
export type BuildInfo = { readonly version: string; readonly commit: string };

const ROOT = join(import.meta.dirname, '..', '..');
const GIT_TIMEOUT_MS = 1_000;
export const UNKNOWN_COMMIT = 'unknown';
const COMMIT = /^[0-9a-f]{7,64}$/;

/**
 * The commit is BUILD_COMMIT, which the image build sets, `gitHead` of package.json, which
 * `npm run release` writes, or the HEAD of the repository.
 */
export function readBuildInfo(env: Readonly<Record<string, string | undefined>>): BuildInfo {
  const { version, gitHead } = readManifest();
  const commit = env.BUILD_COMMIT?.trim() ?? '';
  return { version, commit: COMMIT.test(commit) ? commit : (gitHead ?? headCommit()) };
}

export function readVersion(): string {
  return readManifest().version;
}

type Manifest = { readonly version: string; readonly gitHead?: string };

function readManifest(): Manifest {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
}

/** UNKNOWN_COMMIT outside of a repository. */
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
    return UNKNOWN_COMMIT;
  }
}
