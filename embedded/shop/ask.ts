// The requests of the shop, through public APIs only: its site and apps call ingest, and its back
// office calls the API.

/** The demo data that the shop uses. */
export type ShopDemo = {
  readonly baseUrl: string;
  /** Undefined with a real gateway, which receives no demo payments. */
  readonly gatewayUrl?: string | undefined;
  readonly workspaceId: string;
  readonly propertyId: string;
  readonly writeKey: string;
  /** An owner's token; fetched for each request, because it expires. */
  readonly accessToken: () => Promise<string>;
};

export type Answer = { readonly status: number; readonly body: unknown };

/** No response, or a response that asks for a retry. */
export class Unanswered extends Error {}

const ANSWER_MS_MAX = 5_000;

export async function ask(url: string, init: RequestInit): Promise<Answer> {
  const { status, text } = await readAnswer(url, init).catch((error: unknown) => {
    throw new Unanswered(`${url} does not respond`, { cause: error });
  });
  if (status === 429 || status >= 500) throw new Unanswered(`${url} responded with ${status}`);
  return { status, body: text === '' ? undefined : JSON.parse(text) };
}

async function readAnswer(url: string, init: RequestInit) {
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(ANSWER_MS_MAX) });
  return { status: answer.status, text: await answer.text() };
}

export type IngestRequest = {
  /** If omitted, the request is a GET. */
  readonly body?: object;
  /** Who looks. */
  readonly userId?: string;
};

/** A response that rejects single events counts as a response. */
export async function askIngest<Body>(
  { baseUrl, writeKey }: ShopDemo,
  path: string,
  { body, userId }: IngestRequest,
): Promise<Body> {
  const answer = await ask(`${baseUrl}${path}`, {
    headers: {
      'content-type': 'application/json',
      'x-service-write-key': writeKey,
      ...(userId !== undefined && { 'x-user-id': userId }),
    },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  });
  const { code, message } = answer.body as { readonly code?: string; readonly message?: string };
  if (answer.status === 200 || code === 'EVENTS_REJECTED') return answer.body as Body;
  throw new Error(`${path} responded with ${answer.status} ${code}: ${message}`);
}

type Message = { readonly message: string };
type Payload = { readonly userErrors?: readonly Message[] } | null;
type Fault = Message & { readonly extensions?: { readonly code?: string } };

/** The error codes that are not the client's fault, for example while Postgres is unavailable. */
const TEMPORARY = new Set(['INTERNAL_SERVER_ERROR', 'THROTTLED']);

/** A GraphQL request; throws the errors of a refused mutation. */
export async function askApi<Data>(
  { baseUrl, workspaceId, accessToken }: ShopDemo,
  query: string,
  variables: object = {},
): Promise<Data> {
  const { body } = await ask(`${baseUrl}/graphql`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await accessToken()}`,
      'content-type': 'application/json',
      'x-workspace-id': workspaceId,
    },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors = [] } = body as { data?: Data | null; errors?: readonly Fault[] };
  const payloads = Object.values(data ?? {}) as Payload[];
  const refusals = payloads.flatMap(payload => payload?.userErrors ?? []);
  const text = [...errors, ...refusals].map(({ message }) => message).join(' ');
  if (errors.some(({ extensions }) => TEMPORARY.has(extensions?.code ?? '')))
    throw new Unanswered(text);
  if (data == null || text !== '') throw new Error(text);
  return data;
}
