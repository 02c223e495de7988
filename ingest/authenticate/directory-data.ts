import { z } from 'zod';

const id = z.guid().transform(value => value.toLowerCase());
const cap = z.int().positive().nullable();

/**
 * Everything that ingest must know to tell who sends, as plain JSON: it travels to the
 * worker threads, and to disk for starts without Postgres. One consistent state of the database.
 * Revoked and expired keys are left out, since they are answered like unknown ones.
 */
export const directoryDataSchema = z.object({
  /** Which state of the database this is; see directory-revision.ts. */
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
      /** Null for a key that does not expire; not there in snapshots of earlier versions. */
      expiresAtMs: z.number().nullish(),
    }),
  ),
  /** What workspaces' webhooks are signed with, sealed. Not there in snapshots of earlier versions. */
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
