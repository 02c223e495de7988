// The workspace, address and token of the tail; the defaults are those of the demo of the service
// that runs in DATA_DIR.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { isUuid } from '../../schema/values/uuid.ts';
import { readConfig } from '../config.ts';
import { readDemo, readOpened } from '../opened.ts';
import type { Passwords } from '../postgres/cluster.ts';
import { urlsOf } from '../postgres/roles.ts';
import { findSecrets } from '../secrets.ts';
import { signToken } from '../sign-token.ts';

export type Whose = {
  readonly url: string;
  readonly workspaceId: string | undefined;
  readonly token: () => Promise<string>;
  readonly mayRenewToken: boolean;
};

export type Said = {
  readonly workspace?: string | undefined;
  readonly url?: string | undefined;
  readonly token?: string | undefined;
};

type Environment = Readonly<Record<string, string | undefined>>;

/** When the token expires, another one is created. */
const TTL_SECONDS = 3_600;

export async function whoseOf(said: Said, env: Environment): Promise<Whose> {
  const { dataDir } = readConfig(env);
  if (said.workspace !== undefined && !isUuid(said.workspace))
    throw new Error('--workspace must be the ID of a workspace');
  if (said.url !== undefined && !/^https?:\/\//.test(said.url))
    throw new Error('--url must be the base address of the service, such as http://127.0.0.1:3000');
  const url = said.url ?? readOpened(dataDir)?.baseUrl;
  if (url === undefined)
    throw new Error(
      `no service is running in ${dataDir}; start it with npm start, or set --url and --token`,
    );
  const { token } = said;
  if (token !== undefined)
    return {
      url,
      workspaceId: said.workspace,
      token: () => Promise.resolve(token),
      mayRenewToken: false,
    };
  if (env.NODE_ENV === 'production')
    throw new Error('in production, tokens come from the identity provider; pass one with --token');
  return { url, mayRenewToken: true, ...(await ownToken(said.workspace, dataDir, env)) };
}

async function ownToken(workspace: string | undefined, dataDir: string, env: Environment) {
  const demo = readDemo(dataDir);
  const workspaceId = workspace?.toLowerCase() ?? demo?.workspaceId;
  if (workspaceId === undefined)
    throw new Error('there is no demo tenant; set the workspace with --workspace');
  const organizationId =
    workspaceId === demo?.workspaceId
      ? demo.organizationId
      : await organizationOf(workspaceId, dataDir, env);
  const { auth } = readConfig(env);
  const { jwtSecret: secret } = findSecrets(dataDir, env);
  if (secret === undefined)
    throw new Error(
      `${dataDir} contains no secret that can sign a token; pass a token with --token`,
    );
  const token = () =>
    signToken({
      ...auth,
      secret,
      userId: 'developer',
      organizationId,
      workspaceId,
      roles: ['member'],
      ttlSeconds: TTL_SECONDS,
    });
  return { workspaceId, token };
}

async function organizationOf(
  workspaceId: string,
  dataDir: string,
  env: Environment,
): Promise<string> {
  const connectionString = databaseUrl(dataDir, env);
  if (connectionString === undefined)
    throw new Error('the organization of the workspace is unknown; pass a token with --token');
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ organization_id: string }>(
      'SELECT organization_id FROM workspaces WHERE id = $1',
      [workspaceId],
    );
    const [found] = rows;
    if (found === undefined) throw new Error(`there is no workspace ${workspaceId}`);
    return found.organization_id;
  } finally {
    await client.end();
  }
}

function databaseUrl(dataDir: string, env: Environment): string | undefined {
  const given = env.DATABASE_SYSTEM_URL?.trim() || env.DATABASE_URL?.trim();
  if (given) return given;
  const port = readOpened(dataDir)?.postgresPort;
  if (port == null) return undefined;
  const file = join(dataDir, 'postgres', 'passwords.json');
  return urlsOf(port, JSON.parse(readFileSync(file, 'utf8')) as Passwords).system;
}
