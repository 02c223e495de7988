import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from 'urql';
import { graphql, type ResultOf } from '../../graph/graphql.ts';
import { personName } from '../../pieces/person-name.ts';
import { shortTraits } from '../../pieces/short-traits.ts';
import { useViewer } from '../../session/ViewerProvider.tsx';
import { isAt, VIEWS } from '../views.ts';
import type { Entry } from './entry.ts';

const TYPING_MS = 200;
const CHARACTERS_MIN = 2;
const FOUND_MAX = 5;

const THINGS = graphql(`
  query PaletteThings($search: String!, $userId: String!) {
    campaigns(first: 5, search: $search) { nodes { id name } }
    templates(first: 5, search: $search) { nodes { id name } }
    webhookEndpoints(first: 50) { nodes { id description url } }
    sdkKeys(first: 50) { nodes { id name writeKey } }
    journeys(first: 50) { nodes { id name } }
    segments(first: 50) { nodes { id name } }
    contactByUserId(userId: $userId) { id userId traits }
    contacts(first: 5, search: $search) { nodes { id userId traits } }
    gatewayPayment(cfPaymentId: $userId) { cfPaymentId }
  }
`);

type Things = {
  readonly things: readonly Entry[];
  readonly isAsking: boolean;
};

/** What has the typed text as a part of its name, or as its ID. Last, the searches of views. */
export function useThings(typed: string): Things {
  const { workspace } = useViewer();
  const [search] = useDebouncedValue(typed.trim(), TYPING_MS);
  const isAsked = workspace !== null && search.length >= CHARACTERS_MIN;
  const [{ data, fetching }] = useQuery({
    query: THINGS,
    variables: { search, userId: search },
    pause: !isAsked,
  });
  const isAsking = fetching || search !== typed.trim();
  // Not what the previous text has found: Enter would open it.
  const found = isAsked && data && !isAsking ? foundIn(data, search) : [];
  const isTyped = workspace !== null && typed.trim() !== '';
  return {
    things: [...found, ...(isTyped ? searchesFor(typed.trim()) : [])].filter(isReachable),
    isAsking,
  };
}

/** The views of some things may not be there. */
function isReachable({ href = '' }: Entry): boolean {
  return VIEWS.some(({ path }) => isAt(href.split('?')[0]!, path));
}

function foundIn(data: ResultOf<typeof THINGS>, search: string): readonly Entry[] {
  const wanted = search.toLowerCase();
  const isMeant = (...texts: readonly string[]) =>
    texts.some(text => text.toLowerCase().includes(wanted));
  const { campaigns, templates, webhookEndpoints, sdkKeys, journeys, segments } = data;
  const { gatewayPayment: payment } = data;
  return [
    ...campaigns.nodes.map(({ id, name }) => entry('Campaigns', `/campaigns/${id}`, name)),
    ...templates.nodes.map(({ id, name }) => entry('Templates', `/templates/${id}`, name)),
    ...journeys.nodes
      .filter(({ id, name }) => isMeant(name, id))
      .slice(0, FOUND_MAX)
      .map(({ id, name }) => entry('Journeys', `/journeys/${id}`, name)),
    ...segments.nodes
      .filter(({ id, name }) => isMeant(name, id))
      .slice(0, FOUND_MAX)
      .map(({ id, name }) => entry('Segments', `/segments/${id}`, name)),
    ...webhookEndpoints.nodes
      .filter(({ id, description, url }) => isMeant(description, url, id))
      .slice(0, FOUND_MAX)
      .map(({ id, description, url }) =>
        entry('Webhooks', `/webhooks/endpoints/${id}`, description || url),
      ),
    ...sdkKeys.nodes
      .filter(({ id, name, writeKey }) => isMeant(name, writeKey, id))
      .slice(0, FOUND_MAX)
      .map(({ id, name, writeKey }) => ({ ...entry('Keys', '/keys', name, writeKey), id })),
    ...(payment
      ? [
          entry(
            'Payments',
            `/payments/payments/${payment.cfPaymentId}`,
            `Payment ${payment.cfPaymentId}`,
          ),
        ]
      : []),
    ...peopleIn(data),
  ];
}

/** First the person with exactly this ID. */
function peopleIn({ contactByUserId: exact, contacts }: ResultOf<typeof THINGS>): readonly Entry[] {
  const others = contacts.nodes.filter(({ id }) => id !== exact?.id);
  return [...(exact ? [exact] : []), ...others].map(({ userId, traits }) => {
    const description = [personName(traits), shortTraits(traits)].filter(Boolean).join(' · ');
    return entry(
      'People',
      `/people/${encodeURIComponent(userId)}`,
      userId,
      description || undefined,
    );
  });
}

/** Views that can be filtered by their address. */
function searchesFor(typed: string): readonly Entry[] {
  const people = `/people?${new URLSearchParams({ search: typed })}`;
  const live = `/live?${new URLSearchParams({ name: typed })}`;
  return [
    entry('People', people, `Search people for “${typed}”`),
    entry('Live', live, `Search live events for “${typed}”`),
  ];
}

function entry(group: string, href: string, label: string, description?: string): Entry {
  return { id: href, group, label, href, ...(description !== undefined && { description }) };
}
