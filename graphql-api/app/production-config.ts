// The settings that the API refuses in production, because they are meant for a developer's
// machine.

import { missingInProduction } from '../../schema/environment/production.ts';

type Given = Readonly<Record<string, string | undefined>>;

const REQUIRED = {
  API_HOST: 'the address to listen on, such as 127.0.0.1 behind a proxy on the same machine',
  DATABASE_APP_URL:
    'a URL that logs in as service_app, which row-level security limits to one organization',
  DATABASE_SYSTEM_URL: 'a URL that logs in as service_system, not as the owner of the tables',
  INGEST_URL: 'the address of ingest’s operator port',
  INTERNAL_TOKEN: 'the same value that ingest uses',
};

export function productionProblems(given: Given): readonly string[] {
  if (given.NODE_ENV !== 'production') return [];
  const refused = [
    given.WEBHOOK_ALLOW_LOOPBACK === '1' && 'WEBHOOK_ALLOW_LOOPBACK',
    given.CLOCK_FILE && 'CLOCK_FILE',
  ].filter(name => Boolean(name));
  return [
    ...missingInProduction(given, REQUIRED),
    ...refused.map(name => `${name}: is not allowed in production`),
    ...sharedLoginProblems(given),
  ];
}

/** A login with both roles can switch between them, so row-level security does not stop SQL injection. */
function sharedLoginProblems({
  DATABASE_APP_URL: app,
  DATABASE_SYSTEM_URL: system,
}: Given): readonly string[] {
  if (!app || !system || loginOf(app) !== loginOf(system)) return [];
  return ['DATABASE_APP_URL: must not use the login of DATABASE_SYSTEM_URL in production'];
}

/** A URL may name several hosts, which `URL` does not accept. */
function loginOf(url: string): string | undefined {
  const [, login, parameters] = /^\w+:\/\/(?:([^:@/]*)[^@/]*@)?[^?]*\??(.*)$/.exec(url) ?? [];
  return new URLSearchParams(parameters).get('user') ?? login;
}
