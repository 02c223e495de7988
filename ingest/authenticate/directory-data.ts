import { z } from 'zod';

const id = z.guid().transform(value => value.toLowerCase());
const cap = z.int().positive().nullable();

/**
 * Everything that ingest must know to answer for a write key, as plain JSON: it travels to the
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
});

export type DirectoryData = z.infer<typeof directoryDataSchema>;
export type SdkKeyData = DirectoryData['sdkKeys'][number];
export type OrganizationData = DirectoryData['organizations'][number];
