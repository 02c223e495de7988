// npm run -s token -- --org ID --role owner: a bearer token of the running service, for development.

import { parseArgs } from 'node:util';
import { ROLES, type Role } from '../graphql-api/platform/viewer.ts';
import { isUuid } from '../schema/values/uuid.ts';
import { readConfig } from './config.ts';
import { findSecrets } from './secrets.ts';
import { signToken } from './sign-token.ts';

const USAGE = `Usage: npm run -s token -- --org ID --role ROLE [options]

  --org ID         the organization
  --role ROLE      ${ROLES.join(', ')}; repeatable
  --workspace ID   the workspace (default: the workspace in X-Workspace-ID, or the
                   organization's only workspace)
  --user ID        the user (default: developer)
  --ttl SECONDS    how long the token is valid (default: 3600)
`;
const TTL_SECONDS = 3_600;
/** A token in a shell's history must not stay valid forever. */
const TTL_SECONDS_MAX = 30 * 24 * 3_600;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      org: { type: 'string' },
      role: { type: 'string', multiple: true },
      workspace: { type: 'string' },
      user: { type: 'string', default: 'developer' },
      ttl: { type: 'string', default: String(TTL_SECONDS) },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return;
  }
  if (process.env.NODE_ENV === 'production')
    throw new Error('In production, tokens come from the identity provider.');
  const roles = values.role ?? [];
  const ttlSeconds = Number(values.ttl);
  const faults = [
    !isUuid(values.org ?? '') && '--org must be the ID of an organization',
    values.workspace !== undefined &&
      !isUuid(values.workspace) &&
      '--workspace must be the ID of a workspace',
    (roles.length === 0 || !roles.every(isRole)) && `--role must be one of ${ROLES.join(', ')}`,
    !(ttlSeconds >= 1 && ttlSeconds <= TTL_SECONDS_MAX) &&
      `--ttl must be from 1 to ${TTL_SECONDS_MAX} seconds`,
  ].filter(fault => fault !== false);
  if (faults.length > 0) throw new Error(`${faults.join('; ')}\n\n${USAGE}`);
  const token = await developmentToken({
    userId: values.user,
    organizationId: values.org!,
    workspaceId: values.workspace,
    roles: roles.filter(isRole),
    ttlSeconds,
  });
  process.stdout.write(`${token}\n`);
}

function isRole(name: string): name is Role {
  return (ROLES as readonly string[]).includes(name);
}

async function developmentToken(
  claims: Omit<Parameters<typeof signToken>[0], 'secret' | 'issuer' | 'audience'>,
): Promise<string> {
  const { dataDir, auth } = readConfig(process.env);
  const { jwtSecret } = findSecrets(dataDir, process.env);
  if (jwtSecret === undefined)
    throw new Error(
      `${dataDir} contains no secret that can sign tokens. Start the service once, or set AUTH_JWT_SECRET.`,
    );
  return signToken({ ...claims, ...auth, secret: jwtSecret });
}

main().catch((error: unknown) => {
  process.stderr.write(`token: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
