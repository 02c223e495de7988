import { builder, type SchemaTypes } from '../platform/graph/builder.ts';
import { mutation, type PayloadFields } from '../platform/graph/mutation.ts';
import { consentBulkSet } from './consent.bulk-set.ts';
import { consentBulkSetContract, consentSetContract } from './consent.contract.ts';
import { consentSet } from './consent.set.ts';
import { contactIdContract, contactUpsertContract } from './contact.contract.ts';
import { ConsentStatusRef, ContactRef, contactById } from './contact.graph.ts';
import { contactSuppress, contactUnsuppress } from './contact.suppress.ts';
import { contactUpsert } from './contact.upsert.ts';

const shown = (description: string) => (t: PayloadFields<{ readonly id: string }>) => ({
  contact: t.field({
    type: ContactRef,
    description,
    resolve: ({ result }, _args, graph) => result && contactById(graph, result.id),
  }),
});

mutation({
  name: 'contactUpsert',
  description:
    'Makes a contact, or changes one: traits that are named replace those of the same name, the others stay.',
  access: 'owner',
  input: t => ({
    userId: t.string({ required: true, description: 'The application’s id of the person.' }),
    anonymousId: t.string({ description: 'What the person was before they were known.' }),
    traits: t.field({ type: 'JSON', description: 'An object of at most 65536 bytes as JSON.' }),
    removeTraits: t.stringList({ description: 'Names of traits to remove.' }),
  }),
  contract: contactUpsertContract,
  codes: ['TRAITS_TOO_LARGE'],
  action: contactUpsert,
  payload: shown('The contact as it is now.'),
});

mutation({
  name: 'contactSuppress',
  description: 'Nothing promotional for a person from now on, whatever they agreed to.',
  access: 'owner',
  target: ContactRef,
  contract: contactIdContract,
  codes: ['NOT_FOUND'],
  action: contactSuppress,
  payload: shown('The suppressed contact.'),
});

mutation({
  name: 'contactUnsuppress',
  description: 'What a person agreed to holds again.',
  access: 'owner',
  target: ContactRef,
  contract: contactIdContract,
  codes: ['NOT_FOUND'],
  action: contactUnsuppress,
  payload: shown('The contact as it is now.'),
});

type InputFields = PothosSchemaTypes.InputFieldBuilder<SchemaTypes, 'InputObject'>;

const consentInput = (t: InputFields) => ({
  purpose: t.string({ required: true, description: 'A word in lower case, such as marketing.' }),
  status: t.field({
    type: ConsentStatusRef,
    required: true,
    description: 'Whether the person agreed.',
  }),
  source: t.string({ description: 'Where they said so, such as preference centre.' }),
});

mutation({
  name: 'consentSet',
  description:
    'Records whether a contact agreed to a purpose. Said again from the same source, nothing changes.',
  access: 'owner',
  target: ContactRef,
  input: consentInput,
  contract: consentSetContract,
  codes: ['NOT_FOUND', 'TOO_MANY_CONSENTS'],
  action: consentSet,
  payload: shown('The contact with its consents.'),
});

const PersonConsentInput = builder.inputType('PersonConsentInput', {
  description: 'Whether a person agreed to a purpose.',
  fields: t => ({
    userId: t.string({ required: true, description: 'The application’s id of the person.' }),
    ...consentInput(t),
  }),
});

mutation({
  name: 'consentBulkSet',
  description: 'Records consents of up to 100 contacts: all of them, or none where one is refused.',
  access: 'owner',
  input: t => ({
    consents: t.field({
      type: [PersonConsentInput],
      required: true,
      description: 'At most 100; what is said later of the same person and purpose wins.',
    }),
  }),
  contract: consentBulkSetContract,
  codes: ['NOT_FOUND', 'TOO_MANY_CONSENTS'],
  action: consentBulkSet,
  payload: t => ({
    contacts: t.field({
      type: [ContactRef],
      description: 'The people with their consents.',
      complexity: { field: 1, multiplier: 100 },
      resolve: async ({ result }, _args, graph) => {
        if (result === undefined) return null;
        const found = await Promise.all(result.ids.map(id => contactById(graph, id)));
        return found.filter(contact => contact !== null);
      },
    }),
  }),
});
