import type { TablesOf } from '../platform/database/kysely.ts';
import { ConsentSchema } from './consent.entity.ts';
import { ContactSchema } from './contact.entity.ts';

/** The entities that the ORM maps; a test compares each with its table. */
export const CONTACTS_ENTITIES = [ConsentSchema, ContactSchema] as const;

declare module '../platform/database/kysely.ts' {
  interface Tables extends TablesOf<typeof CONTACTS_ENTITIES> {}
}
