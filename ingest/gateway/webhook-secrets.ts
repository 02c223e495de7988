// The webhook secrets in memory: those of the platform, which are always tried, and those of
// workspaces with their own merchant account, which are tried only if a request hints at the
// workspace. Secrets of workspaces come sealed with the directory and are decrypted here.

import type { EncryptionKey } from '../../schema/environment/encryption-keys.ts';
import { PLATFORM_ACCOUNT_ID } from '../../schema/gateway/account.ts';
import { workspaceCode } from '../../schema/gateway/minted-id.ts';
import {
  gatewaySecretPlace,
  type SecretGeneration,
  type WebhookSecretField,
} from '../../schema/gateway/secret-place.ts';
import { createSecrets, type Secrets } from '../../schema/values/sealing.ts';
import type { DirectoryChange, GatewaySecretData } from '../authenticate/directory-data.ts';
import type { Log } from '../postgres/postgres-link.ts';
import type { GatewayConfig } from './gateway-config.ts';
import { HINTS_MAX } from './workspace-hints.ts';

export type WebhookSecret = {
  /** The owner: all zeros for the platform, otherwise the workspace's ID. */
  readonly accountId: string;
  readonly field: WebhookSecretField;
  readonly generation: SecretGeneration;
  readonly secret: string;
  /** Infinity if the secret does not expire. */
  readonly expiresAtMs: number;
};

type WebhookSecretsOptions = {
  readonly config: Pick<GatewayConfig, 'platformSecrets'>;
  readonly encryptionKeys: readonly EncryptionKey[];
  readonly log: Pick<Log, 'error'>;
  /** Called after each change with the number of secrets that cannot be decrypted. */
  readonly onUnreadable: (secrets: number) => void;
};

/** By all fields of their rows, in order; undefined if a secret cannot be decrypted. */
type OpenedSecrets = ReadonlyMap<string, WebhookSecret | undefined>;

export class WebhookSecrets {
  readonly platform: readonly WebhookSecret[];
  readonly #options: WebhookSecretsOptions;
  readonly #sealing: Secrets | undefined;
  readonly #byWorkspace = new Map<string, OpenedSecrets>();
  /** Workspaces by code. Two of them may share one. */
  readonly #workspaces = new Map<string, Set<string>>();

  constructor(options: WebhookSecretsOptions) {
    const { config, encryptionKeys } = options;
    this.#options = options;
    this.#sealing = encryptionKeys.length === 0 ? undefined : createSecrets(encryptionKeys);
    this.platform = config.platformSecrets.map(secret => {
      return { ...secret, accountId: PLATFORM_ACCOUNT_ID, expiresAtMs: Infinity };
    });
  }

  /** Known secrets are not decrypted again. */
  apply({ rows, gone }: DirectoryChange): void {
    for (const { id, secrets } of rows.gatewaySecrets) {
      const known = this.#byWorkspace.get(id);
      const byName = new Map<string, WebhookSecret | undefined>();
      for (const row of secrets) {
        const name = nameOf(row);
        byName.set(name, known?.get(name) ?? this.#open(row, known?.has(name) === true));
      }
      this.#byWorkspace.set(id, byName);
      const code = workspaceCode(id);
      this.#workspaces.set(code, (this.#workspaces.get(code) ?? new Set()).add(id));
    }
    for (const id of gone.gatewaySecrets) {
      this.#byWorkspace.delete(id);
      this.#workspaces.get(workspaceCode(id))?.delete(id);
    }
    this.#options.onUnreadable(this.#unreadable());
  }

  /** The secrets of workspaces with these codes, for at most as many workspaces as may be tried. */
  of(codes: readonly string[], nowMs: number): WebhookSecret[] {
    return codes
      .flatMap(code => [...(this.#workspaces.get(code) ?? [])])
      .map(id => [...this.#byWorkspace.get(id)!.values()].filter(secret => secret !== undefined))
      .filter(secrets => secrets.length > 0)
      .slice(0, HINTS_MAX)
      .flat()
      .filter(({ expiresAtMs }) => expiresAtMs > nowMs);
  }

  #unreadable(): number {
    let count = 0;
    for (const secrets of this.#byWorkspace.values())
      for (const secret of secrets.values()) if (secret === undefined) count++;
    return count;
  }

  #open(row: GatewaySecretData, isReported: boolean): WebhookSecret | undefined {
    const { workspaceId, field, generation, expiresAtMs } = row;
    try {
      if (this.#sealing === undefined) throw new Error('ENCRYPTION_KEYS is not set');
      const secret = this.#sealing.open(gatewaySecretPlace(workspaceId, field), row);
      return {
        accountId: workspaceId,
        field,
        generation,
        secret,
        expiresAtMs: expiresAtMs ?? Infinity,
      };
    } catch {
      // A cipher error has no useful details, and the log line must not contain the sealed text.
      if (!isReported)
        this.#options.log.error(
          { workspaceId, field, generation, keyId: row.keyId },
          'webhook secret cannot be decrypted: webhooks signed with it are refused',
        );
      return undefined;
    }
  }
}

/** Includes all fields, because a sealed text may be moved and its generation may change. */
function nameOf(row: GatewaySecretData): string {
  return JSON.stringify(row);
}
