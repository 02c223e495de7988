import { z } from 'zod';

const id = z.guid().transform(value => value.toLowerCase());
const cap = z.int().positive().nullable();

/**
 * The data that ingest needs to authenticate senders, as plain JSON: it is written to disk for
 * starts without Postgres. It is one consistent state of the database. Revoked and expired keys are
 * omitted, because the response is the same as for unknown keys.
 */
export const directoryDataSchema = z.object({
  /** The revision of the database state; see directory-revision.ts. */
  revision: z.string(),
  loadedAtMs: z.number(),
  cells: z.array(z.object({ id, slug: z.string(), isEnabled: z.boolean() })),
  organizations: z.array(z.object({ id, eventsPerMinute: cap })),
  workspaces: z.array(z.object({ id, organizationId: id, cellId: id })),
  properties: z.array(z.object({ id, workspaceId: id })),
  sdkKeys: z.array(
    z.object({
      id,
      workspaceId: id,
      writeKey: z.string().min(1),
      minuteCap: cap,
      hourCap: cap,
      origins: z.array(z.string()),
      /** Absent in snapshots of earlier versions, whose keys accept only the contract. */
      accepts: z.enum(['CONTRACT', 'COMPATIBLE']).optional(),
      /** Null if the key does not expire; absent in snapshots of earlier versions. */
      expiresAtMs: z.number().nullish(),
    }),
  ),
  /** The sealed webhook secrets of workspaces. Absent in snapshots of earlier versions. */
  gatewaySecrets: z
    .array(
      z.object({
        workspaceId: id,
        field: z.enum(['webhook_secret', 'abandoned_checkout_secret']),
        generation: z.enum(['CURRENT', 'PREVIOUS']),
        keyId: z.string(),
        sealed: z.string(),
        expiresAtMs: z.number().nullable(),
      }),
    )
    .default([]),
});

export type DirectoryData = z.infer<typeof directoryDataSchema>;
export type SdkKeyData = DirectoryData['sdkKeys'][number];
export type OrganizationData = DirectoryData['organizations'][number];
export type GatewaySecretData = DirectoryData['gatewaySecrets'][number];

/** The rows of gateway_secrets of a workspace, in the order in which they are tried. */
type SecretsOfWorkspace = { readonly id: string; readonly secrets: GatewaySecretData[] };

/** Rows of the directory. Each has the ID under which the database lists its change. */
export type DirectoryRows = Pick<
  DirectoryData,
  'cells' | 'organizations' | 'workspaces' | 'properties' | 'sdkKeys'
> & { gatewaySecrets: SecretsOfWorkspace[] };
export type TableName = keyof DirectoryRows;

export const TABLE_NAMES: readonly TableName[] = [
  'cells',
  'organizations',
  'workspaces',
  'properties',
  'sdkKeys',
  'gatewaySecrets',
];

/** What changed in the directory, for the worker threads. */
export type DirectoryChange = {
  /** New rows, and rows that replace the one with the same ID. */
  readonly rows: DirectoryRows;
  readonly gone: Readonly<Record<TableName, readonly string[]>>;
};

export function rowsOf(data: DirectoryData): DirectoryRows {
  const { cells, organizations, workspaces, properties, sdkKeys } = data;
  const gatewaySecrets = secretsByWorkspace(data.gatewaySecrets);
  return { cells, organizations, workspaces, properties, sdkKeys, gatewaySecrets };
}

export function secretsByWorkspace(rows: readonly GatewaySecretData[]): SecretsOfWorkspace[] {
  return [...Map.groupBy(rows, row => row.workspaceId)].map(([id, secrets]) => ({ id, secrets }));
}
