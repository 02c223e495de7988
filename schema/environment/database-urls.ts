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

function withRole(url: string, role: string): string {
  const queryStart = url.indexOf('?');
  const base = queryStart === -1 ? url : url.slice(0, queryStart);
  const parameters = new URLSearchParams(queryStart === -1 ? '' : url.slice(queryStart + 1));
  const options = parameters.get('options');
  parameters.set('options', `${options ? `${options} ` : ''}-c role=${role}`);
  // libpq does not decode + as a space.
  return `${base}?${parameters.toString().replaceAll('+', '%20')}`;
}
