// npm run -s demo: what is needed to try the running service, as JSON.

import { signToken } from '../graphql-api/access/sign-token.ts';
import type { Role } from '../graphql-api/access/viewer.ts';
import { type Config, readConfig } from './config.ts';
import { type Demo, readDemo, readOpened } from './opened.ts';
import { findSecrets } from './secrets.ts';

const QUESTION_TIMEOUT_MS = 5_000;
/** For a day's work. */
const TOKEN_SECONDS = 12 * 3_600;

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const { dataDir } = config;
  const opened = readOpened(dataDir);
  if (opened === undefined || !(await answers(opened.baseUrl))) {
    throw new Error(`Nothing runs in ${dataDir}. Start it with npm start.`);
  }
  const tenant = readDemo(dataDir);
  if (tenant === undefined) {
    throw new Error(
      'There is no demo tenant: with DATABASE_URL and NODE_ENV=production none is made.',
    );
  }
  const { baseUrl, ingestUrl, apiUrl, clickhouseUrl, gatewayUrl } = opened;
  const addresses = { baseUrl, ingestUrl, apiUrl, clickhouseUrl, gatewayUrl };
  const demo = { ...addresses, ...tenant, ...(await tokens(config, tenant)) };
  process.stdout.write(`${JSON.stringify(demo, null, 2)}\n`);
}

/** Left out where another issuer's keys are used, or in production: we can't, or may not, sign. */
async function tokens(
  { dataDir, auth }: Config,
  { organizationId, agencyOrganizationId }: Demo,
): Promise<{ accessToken?: string; adminToken?: string; agencyToken?: string }> {
  const { jwtSecret } = findSecrets(dataDir, process.env);
  if (jwtSecret === undefined || process.env.NODE_ENV === 'production') return {};
  const sign = (userId: string, role: Role, ofOrganizationId = organizationId) =>
    signToken({
      ...auth,
      secret: jwtSecret,
      userId,
      organizationId: ofOrganizationId,
      roles: [role],
      ttlSeconds: TOKEN_SECONDS,
    });
  return {
    accessToken: await sign('demo-owner', 'owner'),
    adminToken: await sign('demo-admin', 'platform_admin'),
    ...(agencyOrganizationId !== undefined && {
      agencyToken: await sign('demo-agency-owner', 'owner', agencyOrganizationId),
    }),
  };
}

async function answers(baseUrl: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(QUESTION_TIMEOUT_MS);
    return (await fetch(`${baseUrl}/healthz`, { signal })).ok;
  } catch {
    // ports.json of a service that was killed.
    return false;
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
