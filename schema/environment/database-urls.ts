export type DatabaseUrls = {
  /** The owner of the tables; used by migrations only. */
  readonly owner: string;
  /** For requests of the control plane. Row-level security limits it to one organization at a time. */
  readonly app: string;
  /** For ingest and jobs, which access all organizations. */
  readonly system: string;
};

/**
 * Reads the three Postgres URLs from the environment. With only DATABASE_URL, the other two connect as
 * its user and switch to their role, so that row-level security applies too. That user must be allowed
 * to SET ROLE to service_app and service_system.
 */
export function databaseUrls(env: Readonly<Record<string, string | undefined>>): DatabaseUrls {
  const owner = env.DATABASE_URL?.trim();
  if (!owner) throw new Error('DATABASE_URL is not set.');
  return {
    owner,
    app: env.DATABASE_APP_URL?.trim() || withRole(owner, 'service_app'),
    system: env.DATABASE_SYSTEM_URL?.trim() || withRole(owner, 'service_system'),
  };
}

/** The URL of a streaming replica for the application role; undefined if there is none. */
export function replicaUrl(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const read = env.DATABASE_READ_URL?.trim();
  if (!read) return undefined;
  return env.DATABASE_APP_URL?.trim() ? read : withRole(read, 'service_app');
}

type DatabaseLogin = {
  readonly url: string;
  /** The role that the login switches to; undefined if it has the right one. */
  readonly role: string | undefined;
};

/**
 * Separates the role from a URL. A program sets it in each transaction, because a pooler refuses it as
 * a startup parameter.
 */
export function databaseLogin(url: string): DatabaseLogin {
  const [base, parameters] = split(url);
  const options = parameters.get('options') ?? '';
  const role = ROLE.exec(options)?.[1];
  if (role === undefined) return { url, role };
  const others = options.replace(ROLE, '').trim();
  if (others === '') parameters.delete('options');
  else parameters.set('options', others);
  return { url: join(base, parameters), role };
}

const ROLE = /-c role=(\w+)$/;

function withRole(url: string, role: string): string {
  const [base, parameters] = split(url);
  const options = parameters.get('options');
  parameters.set('options', `${options ? `${options} ` : ''}-c role=${role}`);
  return join(base, parameters);
}

function split(url: string): [base: string, parameters: URLSearchParams] {
  const queryStart = url.indexOf('?');
  if (queryStart === -1) return [url, new URLSearchParams()];
  return [url.slice(0, queryStart), new URLSearchParams(url.slice(queryStart + 1))];
}

function join(base: string, parameters: URLSearchParams): string {
  if (parameters.size === 0) return base;
  // libpq does not decode + as a space.
  return `${base}?${parameters.toString().replaceAll('+', '%20')}`;
}
