// The secrets with which the API signs and encrypts: from the environment, or created on the first
// start and stored in the data directory. If the file is lost, all encrypted data is lost.

import { randomBytes } from 'node:crypto';
import { hasPublicKeys } from '../graphql-api/app/auth-config.ts';
import { readSecrets, writeSecrets } from './opened.ts';

export type Secrets = {
  /** Undefined if tokens are verified with an issuer's public keys. */
  readonly jwtSecret: string | undefined;
  readonly encryptionKeys: string;
};

/** secrets.json: the secrets that were created. */
export type MadeSecrets = { readonly jwtSecret: string; readonly encryptionKeys: string };

type Environment = Readonly<Record<string, string | undefined>>;

const SECRET_BYTES = 32;

/** Creates the secrets that neither the environment nor the directory has. */
export function ensureSecrets(dataDir: string, env: Environment): Secrets {
  const given = secretsOf(env);
  if (isComplete(given, env)) return given as Secrets;
  const made = readSecrets(dataDir) ?? {
    jwtSecret: randomBytes(SECRET_BYTES).toString('base64url'),
    encryptionKeys: `first:${randomBytes(SECRET_BYTES).toString('base64')}`,
  };
  writeSecrets(dataDir, made);
  return merge(given, made, env);
}

/** The secrets of a service that has been started before. */
export function findSecrets(dataDir: string, env: Environment): Partial<Secrets> {
  const given = secretsOf(env);
  const made = readSecrets(dataDir);
  return made === undefined ? given : merge(given, made, env);
}

function merge(given: Partial<Secrets>, made: MadeSecrets, env: Environment): Secrets {
  return {
    jwtSecret: hasPublicKeys(env) ? undefined : (given.jwtSecret ?? made.jwtSecret),
    encryptionKeys: given.encryptionKeys ?? made.encryptionKeys,
  };
}

function secretsOf(env: Environment): Partial<Secrets> {
  const [jwtSecret, encryptionKeys] = [env.AUTH_JWT_SECRET?.trim(), env.ENCRYPTION_KEYS?.trim()];
  return {
    ...(jwtSecret ? { jwtSecret } : {}),
    ...(encryptionKeys ? { encryptionKeys } : {}),
  };
}

function isComplete(given: Partial<Secrets>, env: Environment): boolean {
  const isSigned = given.jwtSecret !== undefined || hasPublicKeys(env);
  return isSigned && given.encryptionKeys !== undefined;
}
