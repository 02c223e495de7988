// Common parts of all SDK endpoints except /v1/batch: authenticates the sender by the key in the
// header, parses the body, checks claims and caps, runs the endpoint's own work, and adds CORS
// headers to the response.

import { type Problem, problem, statusOf } from '../../schema/values/problem.ts';
import { uuidToRowBinary } from '../../schema/values/uuid-bytes.ts';
import { type ParsedObject, parseObject } from '../accept/parse-object.ts';
import { authenticate } from '../authenticate/authenticate.ts';
import type { CapCheck } from '../authenticate/check-caps.ts';
import type { Account, Directory } from '../authenticate/directory.ts';
import type { KeyUses } from '../authenticate/key-uses.ts';
import { checkTenantClaims } from '../authenticate/tenant-headers.ts';
import type { Clock } from '../clock.ts';
import { RETRY_AFTER_SECONDS } from '../limits.ts';
import { PostgresUnavailable } from '../postgres/grouped-statement.ts';
import type { SdkRequest } from '../sdk-request.ts';
import { SpoolFailure } from '../spool/spool-failure.ts';
import { corsHeaders } from './cors.ts';
import { decompress, isPlain } from './decompress.ts';
import type { Incoming } from './incoming.ts';
import { checkMediaType } from './media-type.ts';
import { jsonReply, jsonTextReply, problemReply, type Reply } from './reply.ts';
import type { Endpoint } from './server.ts';

export type SdkEndpointDeps = {
  readonly clock: Clock;
  readonly caps: CapCheck;
  readonly keyUses: KeyUses;
  /** Undefined until the directory has been loaded. */
  readonly directory: () => Directory | undefined;
  readonly isDraining: () => boolean;
  /** Called after the spool or Postgres failed a request. The client receives a 503. */
  readonly onUnavailable: (error: unknown) => void;
};

/** A JSON body with status 200, as a value or as text, or a problem. */
export type SdkAnswer =
  | { readonly body: unknown }
  | { readonly json: string; readonly headers: Reply['headers'] }
  | Problem;

export const SUCCESS = { body: { status: 'SUCCESS' } } as const;
export const UNAVAILABLE = problem('UNAVAILABLE', undefined, RETRY_AFTER_SECONDS);
const NO_PROPERTY = new Uint8Array(16);

export type PostWork = {
  /**
   * Why the resources that the work needs are unavailable. Called before the caps, so that a
   * refusal does not count against them.
   */
  readonly refusal: (account: Account) => Problem | undefined;
  readonly work: (request: SdkRequest, body: ParsedObject) => SdkAnswer | Promise<SdkAnswer>;
};

/** A POST of one JSON object. */
export function postEndpoint(deps: SdkEndpointDeps, { refusal, work }: PostWork): Endpoint {
  const answer = async (request: Known, bytes: Buffer) => {
    const body = await readObject(request.incoming, bytes);
    if ('code' in body) return body;
    const sent = claimsOf(body);
    const refused = checkTenantClaims(request.account, sent) ?? refusal(request.account);
    if (refused !== undefined) return refused;
    const capped = await deps.caps.admit(request.account, 1, request.receivedAtMs);
    if (capped !== undefined) return capped;
    return work(withProperty(request, sent.propertyId || request.incoming.propertyId), body);
  };
  return {
    methods: ['POST'],
    handle: (incoming, body, parameter) => handle(deps, [incoming, body, parameter], answer),
  };
}

export type GetWork = {
  readonly refusal: PostWork['refusal'];
  readonly work: (request: SdkRequest) => SdkAnswer | Promise<SdkAnswer>;
};

/** A GET without a body. */
export function getEndpoint(deps: SdkEndpointDeps, { refusal, work }: GetWork): Endpoint {
  const answer = async (request: Known) => {
    const refused = refusal(request.account);
    if (refused !== undefined) return refused;
    const capped = await deps.caps.admit(request.account, 1, request.receivedAtMs);
    return capped ?? work(withProperty(request, request.incoming.propertyId));
  };
  return {
    methods: ['GET'],
    handle: (incoming, body, parameter) => handle(deps, [incoming, body, parameter], answer),
  };
}

type Known = Omit<SdkRequest, 'propertyId' | 'propertyIdBytes'>;
type Sent = readonly [incoming: Incoming, body: Buffer, parameter: string];

async function handle(
  deps: SdkEndpointDeps,
  [incoming, bytes, parameter]: Sent,
  answer: (request: Known, bytes: Buffer) => Promise<SdkAnswer>,
): Promise<Reply> {
  const receivedAtMs = deps.clock.nowMs();
  const directory = deps.directory();
  const { origin } = incoming;
  const cors = (isAllowed: boolean) => (isAllowed && origin !== '' ? corsHeaders(origin) : []);
  if (deps.isDraining() || directory === undefined) {
    const mayAnyKey = directory?.isOriginAllowedBySomeKey(origin) ?? true;
    return problemReply(UNAVAILABLE, {}, cors(mayAnyKey));
  }
  const sender = authenticate(directory, {
    writeKey: incoming.writeKey === '' ? undefined : incoming.writeKey,
    origin: origin === '' ? undefined : origin,
    claims: { organizationId: incoming.organizationId, propertyId: incoming.propertyId },
  });
  if (sender.problem !== undefined)
    return problemReply(sender.problem, {}, cors(sender.isCorsAllowed));
  deps.keyUses.note(sender.account.keyId);
  const request = { incoming, account: sender.account, receivedAtMs, parameter };
  const outcome = await answer(request, bytes).catch((error: unknown) => {
    if (!(error instanceof SpoolFailure || error instanceof PostgresUnavailable)) throw error;
    deps.onUnavailable(error);
    return UNAVAILABLE;
  });
  if ('body' in outcome) return jsonReply(200, outcome.body, cors(true));
  if ('json' in outcome)
    return jsonTextReply(200, outcome.json, [...outcome.headers, ...cors(true)]);
  return problemReply(retryable(outcome), {}, cors(true));
}

/** Adds the default Retry-After to a 502 or 503 without one. */
function retryable(found: Problem): Problem {
  const isTemporary = statusOf(found.code) === 502 || statusOf(found.code) === 503;
  return isTemporary && found.retryAfterSeconds === undefined
    ? { ...found, retryAfterSeconds: RETRY_AFTER_SECONDS }
    : found;
}

async function readObject(incoming: Incoming, bytes: Buffer): Promise<ParsedObject | Problem> {
  const mediaType = checkMediaType(incoming.contentType);
  if (mediaType !== undefined) return mediaType;
  const plain = isPlain(incoming.contentEncoding)
    ? bytes
    : await decompress(bytes, incoming.contentEncoding);
  return 'code' in plain ? plain : parseObject(plain);
}

/** Values that are not strings are rejected later by the contract. */
function claimsOf({ value }: ParsedObject) {
  const text = (key: string) => (typeof value[key] === 'string' ? value[key] : '');
  return { workspaceId: text('workspace_id'), propertyId: text('property_id') };
}

function withProperty(request: Known, named: string): SdkRequest {
  const propertyId = named === '' ? undefined : named.toLowerCase();
  const propertyIdBytes = propertyId === undefined ? NO_PROPERTY : uuidToRowBinary(propertyId);
  return { ...request, propertyId, propertyIdBytes };
}
