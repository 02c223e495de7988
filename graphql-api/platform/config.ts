import type { EncryptionKey } from '../../schema/environment/encryption-keys.ts';
import type { OperationsAddress } from '../../schema/environment/operations-address.ts';
import type { Role } from './viewer.ts';

/**
 * The configuration shared by all slices. A slice adds its own values in its `deps.ts`, by declaration
 * merging; `app/config.ts` reads all of them from the environment.
 */
export interface Config {
  readonly isProduction: boolean;
  readonly host: string;
  readonly port: number;
  /** For /metrics; undefined if it is on `port`. */
  readonly operations: OperationsAddress | undefined;
  /** The number of API processes that share the port. */
  readonly processes: number;
  readonly logLevel: string;
  /** The file with the offset of the service's clock, in development. */
  readonly clockFile: string | undefined;
  readonly databaseUrls: {
    readonly app: string;
    readonly system: string;
    /** Of a streaming replica; undefined if there is none. */
    readonly read?: string | undefined;
  };
  /** Connections of the application role; the system role has a few of its own. */
  readonly databasePoolMax: number;
  /** ClickHouse addresses by the slug of their cell. */
  readonly clickhouseUrls: Readonly<Record<string, string>>;
  /** Undefined: rows for the warehouse wait until it is configured. */
  readonly ingest: IngestConfig | undefined;
  /** Every ingest node, for queries that one node cannot answer for the others. */
  readonly ingestNodeUrls: readonly string[];
  readonly auth: AuthConfig;
  /** Undefined: users sign in to the console with an existing access token. */
  readonly consoleSignIn: ConsoleSignIn | undefined;
  /** The first one encrypts, all decrypt. */
  readonly encryptionKeys: readonly EncryptionKey[];
  /** A JSON file of {hash: document}. When set, only these operations run. */
  readonly persistedOperationsFile: string | undefined;
  /** Refills each tenant's points; a tenant can save up ten seconds' worth. */
  readonly ratePointsPerSecond: number;
  /** How long to serve while not ready, and then how long idle connections stay open. */
  readonly drainNoticeMs: number;
}

export type IngestConfig = {
  readonly url: string;
  /** Authenticates this service to ingest. */
  readonly token: string;
};

export type AuthConfig = {
  readonly issuer: string;
  readonly audience: string;
  readonly keys: /** Shared secrets (HS256); one of two signs while they are rotated. */
    | { readonly kind: 'secret'; readonly secrets: readonly string[] }
    /** The address of the issuer's public keys. */
    | { readonly kind: 'jwks'; readonly url: string }
    /** The address is in the issuer's discovery document. */
    | { readonly kind: 'discovery' };
  /** The names or paths of claims. */
  readonly claims: {
    readonly organization: string;
    readonly roles: string;
    readonly workspace: string;
  };
  /** Our roles by the issuer's names. */
  readonly roles: ReadonlyMap<string, Role>;
};

/** How the console signs users in. It is public, so it has no secret. */
export type ConsoleSignIn = {
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
  /** The API for which a token is requested, if the issuer requires it. */
  readonly audience: string | undefined;
};
