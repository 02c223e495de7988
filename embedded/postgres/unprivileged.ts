// PostgreSQL refuses to run as root for security reasons. Started by root, it runs as another user,
// who must also be able to reach its programs and its files.

import { execFileSync, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';

/** How a program of PostgreSQL is started. */
export type Launch = {
  /** Undefined: as ourselves. */
  readonly user?: SystemUser;
  command(file: string, args: readonly string[]): LaunchCommand;
};
export type LaunchCommand = { file: string; args: string[]; uid?: number; gid?: number };
export type SystemUser = { readonly uid: number; readonly gid: number };

/**
 * @param clusterOwner the owner of the existing data directory, if there is one. It does not change
 * @param paths the paths that PostgreSQL must be able to access
 */
export function unprivilegedLaunch(
  clusterOwner: SystemUser | undefined,
  paths: readonly string[],
): Launch {
  if (process.getuid?.() !== 0) return { command: (file, args) => ({ file, args: [...args] }) };
  const user = clusterOwner ?? serviceUser();
  const closed = paths.map(path => closedDirectory(path, user)).find(Boolean);
  if (closed === undefined) {
    return { user, command: (file, args) => ({ file, args: [...args], ...user }) };
  }
  if (!canKeepCapability()) {
    throw new Error(
      `PostgreSQL cannot run as root. It would run as the user with the ID ${user.uid}, but this user cannot ` +
        `enter the folder ${closed}. Give the user access (chmod o+x), set DATA_DIR to another folder, ` +
        'start the service as another user, or install setpriv (util-linux).',
    );
  }
  return { user, command: (file, args) => withCapability(user, file, args) };
}

/** The existing account "postgres", or a new one like that of a PostgreSQL package. */
function serviceUser(): SystemUser {
  const existing = lookUp('postgres');
  if (existing !== undefined) return existing;
  const account = ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin'];
  const made = spawnSync('useradd', [...account, 'postgres']);
  // If no account can be added (a read-only image, another system), the account `nobody` always
  // exists.
  const user = made.status === 0 ? lookUp('postgres') : lookUp('nobody');
  if (user === undefined) {
    throw new Error(
      'PostgreSQL cannot run as root, and the account "postgres" could not be created. ' +
        'Create this account, or start the service as another user.',
    );
  }
  return user;
}

function lookUp(name: string): SystemUser | undefined {
  const [uid, gid] = ['-u', '-g'].map(flag => {
    const answer = spawnSync('id', [flag, name], { encoding: 'utf8' });
    return answer.status === 0 ? Number.parseInt(answer.stdout, 10) : undefined;
  });
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}

/** The first directory of the path that the user cannot enter, such as /root. */
function closedDirectory(path: string, user: SystemUser): string | undefined {
  const parents: string[] = [];
  for (let at = dirname(path); ; at = dirname(at)) {
    parents.unshift(at);
    if (at === dirname(at)) break;
  }
  return parents.find(directory => !mayPass(directory, user));
}

function mayPass(directory: string, user: SystemUser): boolean {
  const { mode, uid, gid } = statSync(directory);
  if (uid === user.uid) return (mode & 0o100) !== 0;
  if (gid === user.gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}

/**
 * Other users cannot enter root's own folders (/root, temporary directories), and we must not change the
 * permissions of folders that are not ours. Therefore PostgreSQL keeps the one capability for entering such a
 * folder, and no other capability of root.
 */
function withCapability(user: SystemUser, file: string, args: readonly string[]): LaunchCommand {
  const identity = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
  const capability = [
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    // Without this bit, access(2), with which initdb looks for its programs, ignores capabilities.
    '--securebits=+no_setuid_fixup',
  ];
  return { file: 'setpriv', args: [...identity, ...capability, '--', file, ...args] };
}

function canKeepCapability(): boolean {
  try {
    const { file, args } = withCapability({ uid: 65534, gid: 65534 }, 'true', []);
    execFileSync(file, args, { stdio: 'ignore', cwd: '/' });
    return true;
  } catch {
    // Not Linux, no setpriv, or a container without the capability.
    return false;
  }
}
