// The demo of `npm start`, for scripts that use the console like its users.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '..', '..', '..');

export type RunningDemo = {
  readonly baseUrl: string;
  readonly gatewayUrl: string;
  readonly workspaceId: string;
  readonly propertyId: string;
  readonly writeKey: string;
  readonly accessToken: string;
  readonly adminToken: string;
  readonly agencyToken: string;
};

/** Of the directory that `DATA_DIR` names. Rejects if none is running. */
export async function readDemo(): Promise<RunningDemo> {
  const { stdout } = await promisify(execFile)('npm', ['run', '-s', 'demo'], { cwd: ROOT });
  return JSON.parse(stdout) as RunningDemo;
}
