import type { DirectoryData } from '../../../ingest/authenticate/directory-data.ts';

export const ORGANIZATION = '01890000-0000-7000-8000-00000000000a';
export const WORKSPACE = '01890000-0000-7000-8000-0000000000b1';
export const PROPERTY = '01890000-0000-7000-8000-0000000000c1';
export const CELL = '01890000-0000-7000-8000-0000000000d1';
export const KEY = '01890000-0000-7000-8000-0000000000e1';
export const OTHER_ORGANIZATION = '01890000-0000-7000-8000-00000000001a';
export const OTHER_WORKSPACE = '01890000-0000-7000-8000-0000000001b1';
export const OTHER_PROPERTY = '01890000-0000-7000-8000-0000000001c1';
export const OTHER_KEY = '01890000-0000-7000-8000-0000000001e1';

type KeyPart = Partial<DirectoryData['sdkKeys'][number]>;

/** Two organizations with a workspace, a property and a key each. */
export function directoryData(
  key: KeyPart = {},
  otherKey: KeyPart = {},
  eventsPerMinute: number | null = null,
): DirectoryData {
  const plain = { minuteCap: null, hourCap: null, origins: [] };
  return {
    revision: '1:1:1',
    loadedAtMs: 0,
    cells: [{ id: CELL, slug: 'default', isEnabled: true }],
    organizations: [
      { id: ORGANIZATION, eventsPerMinute },
      { id: OTHER_ORGANIZATION, eventsPerMinute: null },
    ],
    workspaces: [
      { id: WORKSPACE, organizationId: ORGANIZATION, cellId: CELL },
      { id: OTHER_WORKSPACE, organizationId: OTHER_ORGANIZATION, cellId: CELL },
    ],
    properties: [
      { id: PROPERTY, workspaceId: WORKSPACE },
      { id: OTHER_PROPERTY, workspaceId: OTHER_WORKSPACE },
    ],
    gatewaySecrets: [],
    sdkKeys: [
      { id: KEY, workspaceId: WORKSPACE, writeKey: 'key-of-one-tenant', ...plain, ...key },
      {
        id: OTHER_KEY,
        workspaceId: OTHER_WORKSPACE,
        writeKey: 'key-of-another-tenant',
        ...plain,
        ...otherKey,
      },
    ],
  };
}
