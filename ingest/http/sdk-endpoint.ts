// The path of a request through every SDK endpoint: the stages in their order, with the endpoint's
// own part of each as a parameter.

import type { Problem } from '../../schema/values/problem.ts';
import { uuidToRowBinary } from '../../schema/values/uuid-bytes.ts';
import { NotDurable } from '../accept/not-durable.ts';
import { type ParsedObject, parseObject } from '../accept/parse-object.ts';
import { authenticate } from '../authenticate/authenticate.ts';
import type { CapCheck } from '../authenticate/check-caps.ts';
import type { Account, Directory } from '../authenticate/directory.ts';
import type { KeyUses } from '../authenticate/key-uses.ts';
import { checkTenantClaims, type TenantClaims } from '../authenticate/tenant-headers.ts';
import type { Clock } from '../clock.ts';
import { PostgresUnavailable } from '../postgres/grouped-statement.ts';
import type { SdkRequest } from '../sdk-request.ts';
import { UNAVAILABLE } from './cell-refusal.ts';
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

/**
 * A JSON body with status 200, as a value or as text, or a problem with additional members of its
 * body.
 */
export type SdkAnswer =
  | { readonly body: unknown }
  | { readonly json: string; readonly headers: Reply['headers'] }
  | (Problem & { readonly beside?: Readonly<Record<string, unknown>> });

export const SUCCESS = { body: { status: 'SUCCESS' } } as const;
const NO_PROPERTY = new Uint8Array(16);

/** Takes over the requests of other vendors' clients (ingest/compatible) on a path of the contract. */
export type CompatibleEndpoint = Pick<Endpoint, 'handle' | 'allowedHeaders'> & {
  /** Whether a request that the contract refuses names a key that accepts it. */
  takes(incoming: Incoming, bytes: Buffer): Promise<boolean>;
};

/** The parts of the stages that differ by endpoint. */
type SdkStages<Body extends object> = {
  readonly method: 'GET' | 'POST';
  readonly returnsBody?: boolean;
  readonly read: (incoming: Incoming, bytes: Buffer) => Body | Problem | Promise<Body | Problem>;
  /** The write key in the body, which is then read before the sender is known. */
  readonly writeKeyOf?: (body: Body) => string;
  /** For keys that accept more than the contract. */
  readonly compatible?: CompatibleEndpoint;
  /** The tenant claimed by the body, in addition to the headers. */
  readonly claimsOf?: (body: Body) => TenantClaims;
  /**
   * What is wrong with the whole body, or why the resources that the work needs are unavailable.
   * Called before the caps, so that a refusal does not count against them.
   */
  readonly refusal: (account: Account, body: Body) => Problem | undefined;
  /** How many events count against the caps. */
  readonly eventsOf: (body: Body) => number;
  /** Finds duplicates, encodes and stores. `doneWithBody`: see Endpoint. */
  readonly work: (
    request: SdkRequest,
    body: Body,
    doneWithBody: () => void,
  ) => SdkAnswer | Promise<SdkAnswer>;
};

export function sdkEndpoint<Body extends object>(
  deps: SdkEndpointDeps,
  stages: SdkStages<Body>,
): Endpoint {
  return {
    methods: [stages.method],
    returnsBody: stages.returnsBody === true,
    handle: (incoming, bytes, parameter, doneWithBody) =>
      handle(deps, stages, incoming, bytes, parameter, doneWithBody),
  };
}

/**
 * The stages: available → authenticate → validate → caps → work, which finds duplicates, encodes and
 * stores. Awaits only what has to wait: an encoded body, the lease of a cap, the work.
 */
async function handle<Body extends object>(
  deps: SdkEndpointDeps,
  stages: SdkStages<Body>,
  incoming: Incoming,
  bytes: Buffer,
  parameter: string,
  doneWithBody: () => void,
): Promise<Reply> {
  const receivedAtMs = deps.clock.nowMs();
  const directory = deps.directory();
  const { origin } = incoming;
  if (deps.isDraining() || directory === undefined)
    return replyOf(UNAVAILABLE, originOfSomeKey(directory, origin));

  let body: Body | undefined;
  let { writeKey } = incoming;
  if (stages.writeKeyOf !== undefined) {
    const reading = stages.read(incoming, bytes);
    const read = reading instanceof Promise ? await reading : reading;
    if (isProblem(read)) {
      if (await stages.compatible?.takes(incoming, bytes))
        return stages.compatible!.handle(incoming, bytes, parameter, doneWithBody);
      return replyOf(read, originOfSomeKey(directory, origin));
    }
    body = read;
    writeKey = stages.writeKeyOf(body);
  }
  const sender = authenticate(directory, { writeKey, origin, claims: incoming });
  if (sender.problem !== undefined)
    return replyOf(sender.problem, sender.isCorsAllowed ? origin : '');
  const { account } = sender;
  if (account.isCompatible && stages.compatible !== undefined)
    return stages.compatible.handle(incoming, bytes, parameter, doneWithBody);
  deps.keyUses.note(account.keyId);

  if (body === undefined) {
    const reading = stages.read(incoming, bytes);
    const read = reading instanceof Promise ? await reading : reading;
    if (isProblem(read)) return replyOf(read, origin);
    body = read;
  }
  const claims = stages.claimsOf?.(body);
  const refusal = (claims && checkTenantClaims(account, claims)) ?? stages.refusal(account, body);
  if (refusal !== undefined) return replyOf(refusal, origin);

  const admitting = deps.caps.admit(account, stages.eventsOf(body), receivedAtMs);
  const overCap = admitting instanceof Promise ? await admitting : admitting;
  if (overCap !== undefined) return replyOf(overCap, origin);

  const property = (claims?.propertyId || incoming.propertyId).toLowerCase();
  const propertyId = property === '' ? undefined : property;
  const propertyIdBytes = property === '' ? NO_PROPERTY : uuidToRowBinary(property);
  const request = { incoming, account, receivedAtMs, parameter, propertyId, propertyIdBytes };
  try {
    const working = stages.work(request, body, doneWithBody);
    return replyOf(working instanceof Promise ? await working : working, origin);
  } catch (error) {
    if (!(error instanceof NotDurable || error instanceof PostgresUnavailable)) throw error;
    deps.onUnavailable(error);
    return replyOf(UNAVAILABLE, origin);
  }
}

/** The origin if a page there may read a response without an authenticated sender. */
function originOfSomeKey(directory: Directory | undefined, origin: string): string {
  if (origin === '' || directory === undefined) return origin;
  return directory.isOriginAllowedBySomeKey(origin) ? origin : '';
}

/** `origin`: of the page that may read the response; empty if there is none. */
function replyOf(answer: SdkAnswer, origin: string): Reply {
  const cors = origin === '' ? [] : corsHeaders(origin);
  if ('body' in answer) return jsonReply(200, answer.body, cors);
  if ('json' in answer) return jsonTextReply(200, answer.json, [...answer.headers, ...cors]);
  return problemReply(answer, answer.beside, cors);
}

/** Reads a JSON body, which may be encoded. */
export function readJson<Body extends object>(
  incoming: Incoming,
  bytes: Buffer,
  parse: (bytes: Buffer) => Body | Problem,
): Body | Problem | Promise<Body | Problem> {
  const mediaType = checkMediaType(incoming.contentType);
  if (mediaType !== undefined) return mediaType;
  if (isPlain(incoming.contentEncoding)) return parse(bytes);
  return decompress(bytes, incoming.contentEncoding).then(plain =>
    isProblem(plain) ? plain : parse(plain),
  );
}

function isProblem(read: object): read is Problem {
  return 'code' in read;
}

type OwnWork<Body> = {
  readonly refusal: (account: Account) => Problem | undefined;
  readonly work: (request: SdkRequest, body: Body) => SdkAnswer | Promise<SdkAnswer>;
};

/** A POST of one JSON object. */
export function postEndpoint(deps: SdkEndpointDeps, own: OwnWork<ParsedObject>): Endpoint {
  return sdkEndpoint<ParsedObject>(deps, {
    ...own,
    method: 'POST',
    read: (incoming, bytes) => readJson(incoming, bytes, parseObject),
    claimsOf,
    eventsOf: () => 1,
  });
}

/** Values that are not strings are rejected later by the contract. */
function claimsOf({ value }: ParsedObject): TenantClaims {
  const text = (key: string) => (typeof value[key] === 'string' ? value[key] : '');
  return { workspaceId: text('workspace_id'), propertyId: text('property_id') };
}

/** A GET without a body. */
export function getEndpoint(deps: SdkEndpointDeps, own: OwnWork<object>): Endpoint {
  return sdkEndpoint<object>(deps, {
    ...own,
    method: 'GET',
    read: () => NO_BODY,
    eventsOf: () => 1,
  });
}

const NO_BODY = {};
