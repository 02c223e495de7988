// Contacts in the control plane.

import { expect } from 'vitest';
import { eventually } from './eventually.ts';
import { sql, type Tenant } from './tenant.ts';

export type Contact = {
  id: string;
  user_id: string;
  anonymous_id: string | null;
  traits: Record<string, unknown>;
  /** Traits as text, which keeps numbers as they are stored. */
  traits_text: string;
  traits_at: Date;
};

export async function contactsOf(workspaceId: string): Promise<Contact[]> {
  const found = await sql(
    `SELECT id, user_id, anonymous_id, traits, traits::text AS traits_text, traits_at
     FROM contacts WHERE workspace_id = $1 AND traits_at > '-infinity' ORDER BY user_id`,
    [workspaceId],
  );
  return found as Contact[];
}

export function untilContacts(tenant: Tenant, count: number): Promise<Contact[]> {
  return eventually(async () => {
    const found = await contactsOf(tenant.workspaceId);
    expect(found).toHaveLength(count);
    return found;
  });
}

export function untilContact(tenant: Tenant, userId: string): Promise<Contact> {
  return eventually(async () => {
    const found = await contactsOf(tenant.workspaceId);
    const contact = found.find(({ user_id }) => user_id === userId);
    expect(contact).toBeDefined();
    return contact!;
  });
}
