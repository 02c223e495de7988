import type { Logger } from 'pino';
import { type ApiEngines, apiEnvironment } from './api-environment.ts';
import type { Config } from './config.ts';
import { createDemoPartner, type DemoPartner } from './demo-partner.ts';
import { createDemoTenant, type DemoTenant } from './demo-tenant.ts';
import { type Demo, removeDemo, writeDemo } from './opened.ts';

export type EnsureDemoOptions = {
  readonly config: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
};

/** Makes what is missing of the demo, and writes down what scripts need of it. */
export async function ensureDemo(
  options: EnsureDemoOptions,
  engines: ApiEngines,
): Promise<Demo | undefined> {
  const { config, env } = options;
  // A key without caps that anybody can look up has no place where real tenants are.
  if (config.databaseUrls !== undefined && env.NODE_ENV === 'production') {
    removeDemo(config.dataDir);
    return undefined;
  }
  const tenant = await createDemoTenant(engines.databaseUrls.system);
  const demo = { ...tenant, ...(await ensureDemoPartner(options, engines, tenant)) };
  writeDemo(config.dataDir, demo);
  return demo;
}

/** The rest of the service is worth starting without it. */
async function ensureDemoPartner(
  options: EnsureDemoOptions,
  engines: ApiEngines,
  tenant: DemoTenant,
): Promise<Partial<DemoPartner>> {
  const { NODE_ENV: _mode, ...env } = apiEnvironment(options, engines);
  const own = { ...env, DATABASE_POOL_MAX: '2', LOG_LEVEL: 'warn' };
  try {
    return await createDemoPartner(own, tenant);
  } catch (error) {
    options.log.error({ err: error }, 'the demo’s partner program could not be made');
    return {};
  }
}
