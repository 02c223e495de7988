import { createSecrets, type Secrets } from '../../schema/values/sealing.ts';
import type { Config } from './config.ts';

const byConfig = new WeakMap<Config, Secrets>();

/** The configured keys, derived once per process. */
export function secretsOf({ config }: { readonly config: Config }): Secrets {
  let secrets = byConfig.get(config);
  if (secrets === undefined) {
    secrets = createSecrets(config.encryptionKeys);
    byConfig.set(config, secrets);
  }
  return secrets;
}
