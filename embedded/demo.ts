// npm run -s demo: what is needed to try the running service, as JSON.

import { type Config, readConfig } from './config.ts';
import { demoTokens } from './demo-tokens.ts';
import { type Demo, readDemo, readOpened } from './opened.ts';

const QUESTION_TIMEOUT_MS = 5_000;

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

async function tokens(
  config: Config,
  tenant: Demo,
): Promise<{ accessToken?: string; adminToken?: string; agencyToken?: string }> {
  const made = await demoTokens(config, tenant);
  if (made === undefined) return {};
  const { owner, admin, agency } = made;
  return { accessToken: owner, adminToken: admin, ...(agency && { agencyToken: agency }) };
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
