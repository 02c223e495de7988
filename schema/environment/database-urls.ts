export type DatabaseUrls = {
  /** Owns the tables; only migrations use it. */
  readonly owner: string;
  /** The control plane's requests: row-level security shows one organisation at a time. */
  readonly app: string;
  /** Ingest and jobs: see every organisation. */
  readonly system: string;
};

/**
 * The three Postgres addresses out of the environment. Where only DATABASE_URL is given, the other
 * two connect as its user and step down to their role at once, so that row-level security holds
 * there too. That user must be allowed to SET ROLE to service_app and service_system.
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

function withRole(url: string, role: string): string {
  const queryStart = url.indexOf('?');
  const base = queryStart === -1 ? url : url.slice(0, queryStart);
  const parameters = new URLSearchParams(queryStart === -1 ? '' : url.slice(queryStart + 1));
  const options = parameters.get('options');
  parameters.set('options', `${options ? `${options} ` : ''}-c role=${role}`);
  // libpq reads + in a URL as a plus sign, so spaces are written out.
  return `${base}?${parameters.toString().replaceAll('+', '%20')}`;
}
