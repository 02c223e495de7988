import { type Demo, type Opened, readDemo, readOpened } from './opened.ts';

export type FoundDemo = { readonly opened: Opened; readonly tenant: Demo };

const QUESTION_TIMEOUT_MS = 5_000;

/** The service that runs in a data directory, and its demo. */
export async function findDemo(dataDir: string): Promise<FoundDemo> {
  const opened = readOpened(dataDir);
  if (opened === undefined || !(await answers(opened.baseUrl))) {
    throw new Error(`No service is running in ${dataDir}. Start it with npm start.`);
  }
  const tenant = readDemo(dataDir);
  if (tenant === undefined) {
    throw new Error(
      'There is no demo tenant. It is not created if DATABASE_URL and NODE_ENV=production are set.',
    );
  }
  return { opened, tenant };
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
