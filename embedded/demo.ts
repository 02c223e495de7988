// npm run -s demo: prints the addresses, IDs and keys of the running service, as JSON.

import { type Config, readConfig } from './config.ts';
import { demoTokens } from './demo-tokens.ts';
import { findDemo } from './find-demo.ts';
import type { Demo } from './opened.ts';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const { opened, tenant } = await findDemo(config.dataDir);
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

main().catch((error: unknown) => {
  process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
