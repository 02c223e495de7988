// A workspace with a journey that branches at a widget: three people are in it, on two versions of
// its first message. The running API moves them to the wait after it. Pages show it in a browser.

import type { Page } from 'playwright-core';
import { contactUpsert } from '../../graphql-api/contacts/contact.upsert.ts';
import { journeyEnrol } from '../../graphql-api/journeys/enrolment.actions.ts';
import { journeyActivate, journeyCreate } from '../../graphql-api/journeys/journey.actions.ts';
import { encodeNodeId } from '../../graphql-api/platform/graph/node-id.ts';
import { templateCreate } from '../../graphql-api/templates/template.create.ts';
import { templateVersionCreate } from '../../graphql-api/templates/version.create.ts';
import { templateVersionSubmit } from '../../graphql-api/templates/version.submit.ts';
import { useSharedApi } from '../graphql-api/harness/api-process.ts';
import { type TestDeps, useDeps } from '../graphql-api/harness/deps.ts';
import { type TemplateActions, templateActions } from '../graphql-api/harness/template-actions.ts';
import { tokenFor } from '../graphql-api/harness/tokens.ts';
import { createTenant, type Tenant } from '../harness/tenant.ts';
import { useChromium } from './harness/chromium.ts';
import { useConsole } from './harness/console-page.ts';

const DAY_SECONDS = 86_400;
const TEXT = { channel: 'email', language: 'en', category: 'transactional' } as const;

export type JourneysScene = TemplateActions & {
  readonly tenant: Tenant;
  readonly welcomeId: string;
  /** The path of the journey `Onboarding` in the console. */
  readonly path: string;
};

type Role = 'owner' | 'member';

type JourneysPages = {
  /** Creates such a workspace. */
  readonly tell: () => Promise<JourneysScene>;
  readonly openAt: (path: string, tenant: Tenant, role?: Role) => Promise<Page>;
};

export function useJourneys(): JourneysPages {
  const api = useSharedApi();
  const deps = useDeps();
  const open = useConsole(useChromium());
  return {
    tell: () => tellJourneys(deps()),
    async openAt(path, { organizationId }, role = 'owner') {
      const token = await tokenFor(organizationId, { roles: [role] });
      return open({ url: api().url, token, path });
    },
  };
}

/** `title` names the dialog where another one is open. */
export async function confirmWith(page: Page, button: string, title?: string): Promise<void> {
  const dialog = page.getByRole('dialog', title === undefined ? {} : { name: title });
  await dialog.getByRole('button', { name: button }).click();
}

export async function tellJourneys(deps: TestDeps): Promise<JourneysScene> {
  const tenant = await createTenant();
  const actions = templateActions(
    () => deps,
    () => tenant,
  );
  const { act } = actions;
  const welcomeId = await templateWith(actions, 'Welcome');
  const reminderId = await templateWith(actions, 'Reminder');
  const { id } = await act(journeyCreate, {
    name: 'Onboarding',
    nodes: [
      { id: 'hello', kind: 'send', templateId: welcomeId, ...ENGLISH, next: 'pause' },
      { id: 'pause', kind: 'wait', seconds: 3 * DAY_SECONDS, next: 'offer' },
      {
        id: 'offer',
        kind: 'widget',
        type: 'banner',
        name: '',
        surfaces: ['storefront'],
        content: { title: '10 % off your first order' },
        priority: 0,
        consentPurpose: 'marketing',
        isCapExempt: false,
        seconds: 2 * DAY_SECONDS,
        next: 'end',
        onDismissed: 'again',
        onExpired: 'again',
      },
      { id: 'again', kind: 'send', templateId: reminderId, ...ENGLISH, next: 'end' },
      { id: 'end', kind: 'end' },
    ],
  });
  await act(journeyActivate, { id, version: 1 });
  await enrol(actions, id, ['asha', 'ravi']);
  await approved(actions, welcomeId, 'Welcome! This is how to begin.');
  await enrol(actions, id, ['meera']);
  await act(contactUpsert, { userId: 'john' });
  return { ...actions, tenant, welcomeId, path: `/journeys/${encodeNodeId('Journey', id)}` };
}

const ENGLISH = { channel: 'email', language: 'en' } as const;

async function templateWith(actions: TemplateActions, name: string): Promise<string> {
  const { id } = await actions.act(templateCreate, { name });
  await approved(actions, id, `This is the message called ${name}.`);
  return id;
}

async function approved({ act, judge }: TemplateActions, id: string, body: string) {
  const header = { type: 'text', text: 'A message from us' } as const;
  const made = await act(templateVersionCreate, { ...TEXT, id, header, body: `<p>${body}</p>` });
  const { submissionId } = await act(templateVersionSubmit, { id: made.id });
  await judge({ submissionId, verdict: 'APPROVED' });
}

async function enrol({ act }: TemplateActions, id: string, userIds: string[]): Promise<void> {
  for (const userId of userIds) await act(contactUpsert, { userId });
  await act(journeyEnrol, { id, userIds });
}
