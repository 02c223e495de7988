// Responds to the requests that browser clients make before they send events: Segment's for its
// settings, RudderStack's for the configuration of its source. The responses name no other
// destination, so the clients send here and load nothing else.

import { type Problem, problem } from '../../schema/values/problem.ts';
import { authenticate } from '../authenticate/authenticate.ts';
import type { Account } from '../authenticate/directory.ts';
import { UNAVAILABLE } from '../http/cell-refusal.ts';
import { corsHeaders } from '../http/cors.ts';
import type { Incoming } from '../http/incoming.ts';
import { jsonReply, problemReply, type Reply } from '../http/reply.ts';
import type { SdkEndpointDeps } from '../http/sdk-endpoint.ts';
import type { Endpoint } from '../http/server.ts';
import { CLIENT_HEADERS, SEGMENT_SETTINGS_PATH, SOURCE_CONFIG_PATHS } from './paths.ts';
import { writeKeyOf } from './read-request.ts';
import { sayMessage } from './say-message.ts';

export function compatibleSettingsEndpoints(
  deps: SdkEndpointDeps,
): (readonly [path: string, endpoint: Endpoint])[] {
  const segment = settingsEndpoint(deps, (_incoming, key) => key, segmentSettings);
  const rudder = settingsEndpoint(deps, incoming => writeKeyOf(incoming, undefined), sourceConfig);
  return [
    [SEGMENT_SETTINGS_PATH, segment],
    ...SOURCE_CONFIG_PATHS.map(path => [path, rudder] as const),
  ];
}

type KeyOf = (incoming: Incoming, parameter: string) => string;
type Settings = (account: Account, writeKey: string, incoming: Incoming) => unknown;

export function settingsEndpoint(
  deps: SdkEndpointDeps,
  keyOf: KeyOf,
  settings: Settings,
): Endpoint {
  return {
    methods: ['GET', 'HEAD'],
    allowedHeaders: CLIENT_HEADERS,
    handle: (incoming, _body, parameter) =>
      sayMessage(settingsReply(deps, incoming, keyOf(incoming, parameter), settings)),
  };
}

export function settingsReply(
  deps: SdkEndpointDeps,
  incoming: Incoming,
  writeKey: string,
  settings: Settings,
): Reply {
  const { origin } = incoming;
  const directory = deps.directory();
  if (deps.isDraining() || directory === undefined)
    return settingsProblem(deps, incoming, UNAVAILABLE);
  const cors = origin === '' ? [] : corsHeaders(origin);
  const sender = authenticate(directory, { writeKey, origin, claims: incoming });
  if (sender.problem !== undefined)
    return problemReply(sender.problem, {}, sender.isCorsAllowed ? cors : []);
  const { account } = sender;
  if (!account.isCompatible) return problemReply(problem('CONTRACT_ONLY'), {}, cors);
  return jsonReply(200, settings(account, writeKey, incoming), [...NO_STORE, ...cors]);
}

/** The response to a request whose sender is not known. */
export function settingsProblem(
  deps: SdkEndpointDeps,
  { origin }: Incoming,
  found: Problem,
): Reply {
  const directory = deps.directory();
  const mayRead = directory === undefined || directory.isOriginAllowedBySomeKey(origin);
  return problemReply(found, {}, origin !== '' && mayRead ? corsHeaders(origin) : []);
}

/** The allow-list of a key and its address can change. */
const NO_STORE = [['Cache-Control', 'no-store']] as const;

/** `metrics`: otherwise the client reports its own use to Segment. */
function segmentSettings(_account: Account, writeKey: string, incoming: Incoming): unknown {
  return {
    integrations: {
      'Segment.io': {
        apiKey: writeKey,
        apiHost: `${incoming.host}/v1`,
        protocol: protocolOf(incoming),
        addBundledMetadata: true,
        unbundledIntegrations: [],
        maybeBundledConfigIds: {},
      },
    },
    plan: { track: {}, identify: {}, group: {} },
    edgeFunction: {},
    middlewareSettings: {},
    enabledMiddleware: {},
    metrics: { sampleRate: 0 },
    legacyVideoPluginsEnabled: false,
    remotePlugins: [],
  };
}

/**
 * Ingest itself uses HTTP. If no proxy reports the protocol that the browser used, the page can use
 * only its own protocol here.
 */
function protocolOf({ forwardedProto, origin }: Incoming): string {
  if (forwardedProto !== '') return forwardedProto === 'http' ? 'http' : 'https';
  return origin.startsWith('http:') ? 'http' : 'https';
}

function sourceConfig({ keyId, workspaceId }: Account, writeKey: string): unknown {
  return {
    source: {
      id: keyId,
      name: 'SDK key',
      writeKey,
      workspaceId,
      enabled: true,
      config: {
        statsCollection: { errors: { enabled: false }, metrics: { enabled: false } },
      },
      destinations: [],
      connections: [],
      dataplanes: {},
    },
  };
}
