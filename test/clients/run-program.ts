import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';

const RUN_TIMEOUT_MS = 60_000;

export type Program = readonly [string, ...string[]];

/** Runs a program that must succeed. Returns what it printed. */
export async function runProgram(
  [program, ...options]: Program,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const child = spawn(program, options, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: RUN_TIMEOUT_MS,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      said += part.toString();
    });
  const [code] = (await once(child, 'close')) as [number | null];
  expect(code, said).toBe(0);
  return said;
}
