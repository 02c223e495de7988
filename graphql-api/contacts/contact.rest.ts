import { createRoute, z } from '@hono/zod-openapi';
import { reject } from '../platform/rejected.ts';
import {
  allow,
  bodyOf,
  changeErrors,
  errors,
  json,
  type RestApp,
  resultOf,
  workspaceChangeHeaders,
  workspaceHeader,
} from '../platform/rest/rest-app.ts';
import { runAction } from '../platform/run-action.ts';
import { type ConsentResource, consentResource, consentSetBody } from './consent.contract.ts';
import type { Consent } from './consent.entity.ts';
import { consentSet } from './consent.set.ts';
import { type ContactResource, contactResource } from './contact.contract.ts';
import type { Contact } from './contact.entity.ts';
import { type ContactTraits, contactsByIds, traitsByContacts } from './contact.reads.ts';
import { consentsByContacts } from './contact-details.reads.ts';

const PATH = '/api/v1/contacts/{contact_id}';
const params = z.object({
  contact_id: z.uuid().meta({ example: '019aa0f1-4b7c-7c51-9f0e-2f6d5b8f9a10' }),
});
const contactResult = resultOf({ contact: contactResource, consents: z.array(consentResource) });

export function contactRoutes(app: RestApp): void {
  const one = createRoute({
    method: 'get',
    path: PATH,
    tags: ['Contacts'],
    operationId: 'getContact',
    summary: 'Retrieve a contact and its consents',
    description: 'Returns the traits, the suppression and the consent for each purpose.',
    middleware: allow('member'),
    request: { params, headers: workspaceHeader },
    responses: { 200: json('The contact.', contactResult), ...errors(400, 404) },
  });
  app.openapi(one, async c => {
    const { context } = c.var;
    const { contact_id: id } = c.req.valid('param');
    const [contact] = await contactsByIds(context, [id]);
    if (contact === undefined)
      return reject('NOT_FOUND', { message: 'No contact exists with this ID.' });
    const [traits] = await traitsByContacts(context, [id]);
    const [known] = await consentsByContacts(context, [id]);
    const consents = (known?.consents ?? []).map(consentAnswer);
    const answer = {
      status: 'SUCCESS' as const,
      contact: contactAnswer(contact, traits),
      consents,
    };
    return c.json(answer, 200);
  });

  const set = createRoute({
    method: 'post',
    path: `${PATH}/consents`,
    tags: ['Contacts'],
    operationId: 'setConsent',
    summary: 'Record the consent of a contact for a purpose',
    description:
      'The latest consent for a purpose applies from the next request of a device. Owners only.',
    middleware: allow('owner', 10),
    request: { params, headers: workspaceChangeHeaders, body: bodyOf(consentSetBody) },
    responses: {
      200: json('The consent.', resultOf({ consent: consentResource })),
      ...changeErrors(404),
    },
  });
  app.openapi(set, async c => {
    const { context } = c.var;
    const options = { operation: 'consentSet', idempotencyKey: c.req.header('idempotency-key') };
    const input = { id: c.req.valid('param').contact_id, ...c.req.valid('json') };
    const { id, purpose } = await runAction(context, consentSet, input, options);
    const [known] = await consentsByContacts(context, [id]);
    const consent = known?.consents.find(one => one.purpose === purpose);
    return c.json({ status: 'SUCCESS' as const, consent: consentAnswer(consent!) }, 200);
  });
}

function contactAnswer(contact: Contact, traits: ContactTraits | undefined): ContactResource {
  return {
    id: contact.id,
    user_id: contact.userId,
    anonymous_id: contact.anonymousId ?? null,
    traits: traits?.traits ?? null,
    suppressed_at: contact.suppressedAt?.toISOString() ?? null,
    created_at: contact.createdAt.toISOString(),
    updated_at: contact.updatedAt.toISOString(),
  };
}

function consentAnswer(consent: Consent): ConsentResource {
  return {
    purpose: consent.purpose,
    status: consent.status,
    source: consent.source,
    version: consent.version,
    recorded_at: consent.recordedAt.toISOString(),
  };
}
