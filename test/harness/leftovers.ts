import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export type Leftover = { readonly pid: number; readonly command: string };

/**
 * Processes that belong to a run, known by its directory in their command line, environment or
 * working directory. Postgres renames its children, but they still work in its data directory.
 */
export function leftovers(runDirectory: string): Leftover[] {
  const all = process.platform === 'linux' ? linuxProcesses(runDirectory) : otherProcesses();
  return all
    .filter(({ pid, traces }) => pid !== process.pid && traces.includes(runDirectory))
    .map(({ pid, command }) => ({ pid, command }));
}

type Seen = Leftover & { readonly traces: string };

function linuxProcesses(runDirectory: string): Seen[] {
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name));
  return pids.flatMap(name => {
    const command = readOr(() => readFileSync(`/proc/${name}/cmdline`, 'utf8'));
    // A zombie has no command line: it has exited, but its parent has not reaped it yet.
    if (command === '') return [];
    const environment = readOr(() => readFileSync(`/proc/${name}/environ`, 'utf8'));
    const directory = readOr(() => readlinkSync(`/proc/${name}/cwd`));
    const traces = [command, environment, directory].filter(text => text.includes(runDirectory));
    return [{ pid: Number(name), command: command.replaceAll('\0', ' '), traces: traces.join() }];
  });
}

function otherProcesses(): Seen[] {
  const listing = execFileSync('ps', ['-axww', '-o', 'pid=,command='], { encoding: 'utf8' });
  return listing.split('\n').flatMap(line => {
    const [, pid, command] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid && command ? [{ pid: Number(pid), command, traces: command }] : [];
  });
}

/** Returns '' for a process that has exited or belongs to another user. */
function readOr(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
