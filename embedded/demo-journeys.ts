// A journey with people on three versions of its template: each is pinned to the version that was
// Active when they entered. The running service sends to them as soon as it starts.

import { contactUpsert } from '../graphql-api/contacts/contact.upsert.ts';
import { journeyEnrol } from '../graphql-api/journeys/enrolment.actions.ts';
import { journeyActivate, journeyCreate } from '../graphql-api/journeys/journey.actions.ts';
import { templateCreate } from '../graphql-api/templates/template.create.ts';
import { openDemoStory } from './demo-story.ts';
import { tell } from './demo-templates.ts';
import type { DemoTenant } from './demo-tenant.ts';

export type DemoJourneys = { readonly journeyId: string };

const NAME = 'Welcome in three letters';
const DAY_SECONDS = 24 * 60 * 60;

/** The approved versions, and the people who entered on the following day. */
const ACTS = [
  {
    daysAgo: 40,
    body: 'Hello {{first_name}}, it is good to have you with us.',
    people: ['asha', 'ravi'],
  },
  { daysAgo: 25, body: 'Welcome, {{first_name}}! Here is how to get started.', people: ['meera'] },
  {
    daysAgo: 8,
    body: 'Welcome, {{first_name}}! You are set up in three steps.',
    people: ['john', 'sara', 'user-1'],
  },
];

/** Finds the existing demo data, or creates all of it in one step. */
export async function createDemoJourneys(
  env: Readonly<Record<string, string | undefined>>,
  tenant: DemoTenant,
): Promise<DemoJourneys> {
  const { organizationId, workspaceId } = tenant;
  const story = await openDemoStory(env);
  try {
    return await story.deps.database.asTenant(organizationId, async em => {
      const [found] = await em.execute<{ id: string }[]>(
        'SELECT id FROM journeys WHERE workspace_id = ? AND name = ? LIMIT 1',
        [workspaceId, NAME],
      );
      if (found !== undefined) return { journeyId: found.id };
      const told = tell(story, tenant, em);
      const template = await templateCreate(told.on(41), { name: 'Welcome' });
      let journeyId: string | undefined;
      for (const { daysAgo, body, people } of ACTS) {
        const text = { channel: 'messaging_app', language: 'en', category: 'utility' } as const;
        await told.approved(template.id, daysAgo, { ...text, body });
        journeyId ??= await createJourney(told.on(daysAgo), template.id);
        const on = told.on(daysAgo - 1);
        for (const userId of people)
          await contactUpsert(on, { userId, traits: { first_name: nameOf(userId) } });
        await journeyEnrol(on, { id: journeyId, userIds: [...people] });
      }
      return { journeyId: journeyId! };
    });
  } finally {
    await story.close();
  }
}

type Scope = Parameters<typeof journeyCreate>[0];

/** Long waits, so that all people are still in flight. */
async function createJourney(scope: Scope, templateId: string): Promise<string> {
  const send = { kind: 'send', templateId, channel: 'messaging_app', language: 'en' } as const;
  const { id } = await journeyCreate(scope, {
    name: NAME,
    nodes: [
      { id: 'hello', ...send, next: 'month' },
      { id: 'month', kind: 'wait', seconds: 30 * DAY_SECONDS, next: 'reminder' },
      { id: 'reminder', ...send, next: 'year' },
      { id: 'year', kind: 'wait', seconds: 365 * DAY_SECONDS, next: 'anniversary' },
      { id: 'anniversary', ...send, next: 'end' },
      { id: 'end', kind: 'end' },
    ],
  });
  await journeyActivate(scope, { id, version: 1 });
  return id;
}

function nameOf(userId: string): string {
  return userId === 'user-1' ? 'Uma' : userId[0]!.toUpperCase() + userId.slice(1);
}
