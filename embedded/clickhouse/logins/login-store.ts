// The logins of analysts, kept in a file of the data directory. A request with the user name of a
// login must have its password; any other request has full access, as on an engine without logins.

import { createHash, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { LOGIN_PREFIX } from '../../../schema/analyst-login/statements.ts';
import type { Engine } from '../engine.ts';
import { exception } from '../exception.ts';
import type { Credentials } from './credentials.ts';
import type { LoginStatement } from './login-statement.ts';
import { clearPlace, furnishPlace, PLACES, TABLES_DATABASE } from './places.ts';

export type Login = {
  readonly userName: string;
  readonly passwordHash: string;
  /** The number of its place; see places.ts. */
  readonly place: number;
  readonly workspaceId: string | undefined;
  /** Until the last statement of its creation it reads nothing. */
  readonly isGranted: boolean;
};

export type LoginStore = {
  /** Undefined: the request is the service's. Throws an Exception for a wrong password. */
  identify(credentials: Credentials): Login | undefined;
  /** Throws an Exception if the login has ended or changed meanwhile. */
  requireCurrent(login: Login): void;
  /** Sets up the place of a login, if that has not happened since the start. */
  prepare(login: Login): Promise<void>;
  apply(statement: LoginStatement): Promise<void>;
  all(): readonly Login[];
};

/** `path` is the file. */
export function openLoginStore(path: string, engine: Pick<Engine, 'run'>): LoginStore {
  const logins = new Map(readLogins(path).map(login => [login.userName, login]));
  /**
   * A view has the columns that its table had when the view was created, so the views are created again at each
   * start of the engine.
   */
  const prepared = new Map<Login, Promise<void>>();
  let lastPlace = Math.max(0, ...[...logins.values()].map(({ place }) => place));
  let last: Promise<void> = Promise.resolve();

  /** A place is set up or cleared by one request at a time. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  }

  async function keep(userName: string, login: Login | undefined): Promise<void> {
    if (login === undefined) logins.delete(userName);
    else logins.set(userName, login);
    await writeLogins(path, [...logins.values()]);
  }

  async function create(userName: string, passwordHash: string, database: string): Promise<void> {
    if (logins.has(userName)) return;
    if (database !== TABLES_DATABASE)
      throw exception('NOT_IMPLEMENTED', `The tables must be in the database ${TABLES_DATABASE}`);
    lastPlace = freePlace([...logins.values()], lastPlace);
    const rights = { place: lastPlace, workspaceId: undefined, isGranted: false };
    await keep(userName, { userName, passwordHash, ...rights });
  }

  async function drop(userName: string): Promise<void> {
    const login = logins.get(userName);
    if (login === undefined) return;
    await keep(userName, undefined);
    prepared.delete(login);
    await clearPlace(engine, login.place);
  }

  async function change(statement: LoginStatement): Promise<void> {
    if (statement.kind === 'shared' || statement.kind === 'drop-policies') return;
    const { userName } = statement;
    if (statement.kind === 'create')
      return create(userName, statement.passwordHash, statement.database);
    if (statement.kind === 'drop') return drop(userName);
    const login = logins.get(userName);
    if (login === undefined) throw exception('UNKNOWN_USER', `There is no user ${userName}`);
    prepared.delete(login);
    const isWall = statement.kind === 'wall';
    const changes = isWall ? { workspaceId: statement.workspaceId } : { isGranted: true };
    await keep(userName, { ...login, ...changes });
  }

  return {
    identify({ user, password }) {
      if (!user.startsWith(LOGIN_PREFIX)) return undefined;
      const login = logins.get(user);
      const hash = createHash('sha256').update(password).digest();
      if (login === undefined || !timingSafeEqual(hash, Buffer.from(login.passwordHash, 'hex')))
        throw refused(user);
      return login;
    },
    requireCurrent(login) {
      const now = logins.get(login.userName);
      if (now?.place !== login.place || now.workspaceId !== login.workspaceId)
        throw refused(login.userName);
    },
    prepare(login) {
      const { place } = login;
      const workspaceId = requireGranted(login);
      let furnishing = prepared.get(login);
      if (furnishing === undefined) {
        furnishing = inTurn(() => furnishPlace(engine, place, workspaceId));
        prepared.set(login, furnishing);
        furnishing.catch(() => prepared.delete(login));
      }
      return furnishing;
    },
    apply: statement => inTurn(() => change(statement)),
    all: () => [...logins.values()],
  };
}

function requireGranted({ userName, workspaceId, isGranted }: Login): string {
  if (workspaceId === undefined || !isGranted)
    throw exception('ACCESS_DENIED', `${userName}: Not enough privileges`);
  return workspaceId;
}

/** Not a recently freed place: a statement of its former login may still be running. */
function freePlace(logins: readonly Login[], lastPlace: number): number {
  const taken = new Set(logins.map(({ place }) => place));
  for (let step = 0; step < PLACES; step++) {
    const place = ((lastPlace + step) % PLACES) + 1;
    if (!taken.has(place)) return place;
  }
  throw exception('LIMIT_EXCEEDED', `Too many logins. Maximum: ${PLACES}`);
}

/** The same for an unknown user and a wrong password, as on a server. */
function refused(user: string) {
  return exception(
    'AUTHENTICATION_FAILED',
    `${user}: Authentication failed: password is incorrect, or there is no user with such name`,
  );
}

function readLogins(path: string): Login[] {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Login[]) : [];
}

/** After a crash, the file is either the complete old one or the complete new one. */
async function writeLogins(path: string, logins: readonly Login[]): Promise<void> {
  const beside = `${path}.new`;
  const file = await open(beside, 'w', 0o600);
  try {
    await file.writeFile(JSON.stringify(logins, null, 2));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(beside, path);
}
