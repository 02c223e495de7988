import type { Logger } from 'pino';
import { type ApiEngines, apiEnvironment } from './api-environment.ts';
import type { Config } from './config.ts';
import { createDemoJourneys } from './demo-journeys.ts';
import { createDemoPartner } from './demo-partner.ts';
import { createDemoTemplates } from './demo-templates.ts';
import { createDemoTenant, type DemoTenant } from './demo-tenant.ts';
import { type Demo, removeDemo, writeDemo } from './opened.ts';

export type EnsureDemoOptions = {
  readonly config: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
};

/** Creates only the tenant, which ingest should know from its start. */
export async function ensureDemoTenant(
  { config, env }: EnsureDemoOptions,
  engines: ApiEngines,
): Promise<DemoTenant | undefined> {
  // A public key without caps must not exist next to real tenants.
  if (config.databaseUrls !== undefined && env.NODE_ENV === 'production') {
    removeDemo(config.dataDir);
    return undefined;
  }
  return createDemoTenant(engines.databaseUrls.system);
}

/** Creates the missing demo data, and stores the values that scripts need. */
export async function furnishDemo(
  options: EnsureDemoOptions,
  engines: ApiEngines,
  tenant: DemoTenant,
): Promise<Demo> {
  const { NODE_ENV: _mode, ...apiEnv } = apiEnvironment(options, engines);
  const own = { ...apiEnv, DATABASE_POOL_MAX: '2', LOG_LEVEL: 'warn' };
  const demo = {
    ...tenant,
    ...(await orNothing(options, 'partner program', () => createDemoPartner(own, tenant))),
    ...(await orNothing(options, 'templates', () => createDemoTemplates(own, tenant))),
    ...(await orNothing(options, 'journeys', () => createDemoJourneys(own, tenant))),
  };
  writeDemo(options.config.dataDir, demo);
  return demo;
}

/** The rest of the service is started without the demo. */
async function orNothing<T extends object>(
  { log }: EnsureDemoOptions,
  what: string,
  make: () => Promise<T>,
): Promise<Partial<T>> {
  try {
    return await make();
  } catch (error) {
    log.error({ err: error }, `could not create the demo’s ${what}`);
    return {};
  }
}
