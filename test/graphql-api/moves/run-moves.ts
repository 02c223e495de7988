// Runs the job once, in a process that a test can kill.

import { randomBytes } from 'node:crypto';
import { readConfig } from '../../../graphql-api/app/config.ts';
import { createAppDeps } from '../../../graphql-api/app/create-app-deps.ts';
import { moveWorkspaces } from '../../../graphql-api/moves/move-workspaces.job.ts';
import { createContext } from '../../../graphql-api/platform/context.ts';

const secret = randomBytes(32).toString('base64');
const deps = await createAppDeps(
  readConfig({ ...process.env, AUTH_JWT_SECRET: secret, ENCRYPTION_KEYS: `unused:${secret}` }),
);
const dueAt = new Date().toISOString();
await moveWorkspaces.run(
  createContext(deps, 'test', undefined),
  { dueAt },
  new AbortController().signal,
);
process.exit();
