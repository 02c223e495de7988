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
import type { GatewaySecretData } from '../authenticate/directory-data.ts';
import type { Log } from '../postgres/postgres-link.ts';
import type { GatewayConfig } from './gateway-config.ts';
import { HINTS_MAX } from './workspace-hints.ts';

export type WebhookSecret = {
  /** The owner: all zeros for the platform, otherwise the workspace's id. */
  readonly accountId: string;
  readonly field: WebhookSecretField;
  readonly generation: SecretGeneration;
  readonly secret: string;
  /** Infinity if the secret does not expire. */
  readonly expiresAtMs: number;
};

export type WebhookSecretsOptions = {
  readonly config: Pick<GatewayConfig, 'platformSecrets'>;
  readonly encryptionKeys: readonly EncryptionKey[];
  readonly log: Pick<Log, 'error'>;
  /** Called after each change with the number of secrets that cannot be decrypted. */
  readonly onUnreadable: (secrets: number) => void;
};

export class WebhookSecrets {
  readonly platform: readonly WebhookSecret[];
  readonly #options: WebhookSecretsOptions;
  readonly #sealing: Secrets | undefined;
  #opened = new Map<string, WebhookSecret>();
  /** By workspace code. A list per code, because two workspaces may share one. */
  #workspaces = new Map<string, WebhookSecret[][]>();
  #unreadable = new Set<string>();

  constructor(options: WebhookSecretsOptions) {
    const { config, encryptionKeys } = options;
    this.#options = options;
    this.#sealing = encryptionKeys.length === 0 ? undefined : createSecrets(encryptionKeys);
    this.platform = config.platformSecrets.map(secret => {
      return { ...secret, accountId: PLATFORM_ACCOUNT_ID, expiresAtMs: Infinity };
    });
  }

  /** Replaces all secrets. Known secrets are not decrypted again. */
  replace(rows: readonly GatewaySecretData[]): void {
    const opened = new Map<string, WebhookSecret>();
    const workspaces = new Map<string, WebhookSecret[]>();
    const unreadable = new Set<string>();
    for (const row of rows) {
      const secret = this.#opened.get(nameOf(row)) ?? this.#open(row);
      if (secret === undefined) {
        unreadable.add(nameOf(row));
        continue;
      }
      opened.set(nameOf(row), secret);
      const others = workspaces.get(row.workspaceId);
      if (others === undefined) workspaces.set(row.workspaceId, [secret]);
      else others.push(secret);
    }
    this.#opened = opened;
    this.#unreadable = unreadable;
    this.#workspaces = byCode(workspaces);
    this.#options.onUnreadable(unreadable.size);
  }

  /** The secrets of workspaces with these codes, for at most as many workspaces as may be tried. */
  of(codes: readonly string[], nowMs: number): WebhookSecret[] {
    return codes
      .flatMap(code => this.#workspaces.get(code) ?? [])
      .slice(0, HINTS_MAX)
      .flat()
      .filter(({ expiresAtMs }) => expiresAtMs > nowMs);
  }

  #open(row: GatewaySecretData): WebhookSecret | undefined {
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
      if (!this.#unreadable.has(nameOf(row)))
        this.#options.log.error(
          { workspaceId, field, generation, keyId: row.keyId },
          'webhook secret cannot be decrypted: webhooks signed with it are rejected',
        );
      return undefined;
    }
  }
}

function byCode(workspaces: ReadonlyMap<string, WebhookSecret[]>) {
  const codes = new Map<string, WebhookSecret[][]>();
  for (const [workspaceId, secrets] of workspaces) {
    const code = workspaceCode(workspaceId);
    codes.set(code, [...(codes.get(code) ?? []), secrets]);
  }
  return codes;
}

/** Includes all fields, because a sealed text may be moved and its generation may change. */
function nameOf(row: GatewaySecretData): string {
  return JSON.stringify(row);
}
