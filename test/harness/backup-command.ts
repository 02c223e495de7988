// `npm run backup`, as an operator runs it.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const MAIN = join(import.meta.dirname, '..', '..', 'embedded', 'backup.ts');

export type Result = { readonly code: number; readonly stdout: string; readonly stderr: string };

export async function backup(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Result> {
  const options = { env: { PATH: process.env.PATH ?? '', ...env } };
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, [MAIN, ...args], options)) };
  } catch (error) {
    const { code, stdout, stderr } = error as Result;
    return { code, stdout, stderr };
  }
}
