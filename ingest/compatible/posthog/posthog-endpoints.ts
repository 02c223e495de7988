// The endpoints of PostHog's clients. Only for keys whose owner has allowed it.

import type { BatchEndpointDeps } from '../../http/batch-endpoint.ts';
import type { Endpoint } from '../../http/server.ts';
import { foreignEndpoint, isProblem } from '../foreign-endpoint.ts';
import {
  CLIENT_HEADERS,
  POSTHOG_CONFIG_PATH,
  POSTHOG_EVENT_PATHS,
  POSTHOG_FLAGS_PATHS,
} from '../paths.ts';
import { sayMessage } from '../say-message.ts';
import { settingsEndpoint, settingsProblem, settingsReply } from '../settings-endpoints.ts';
import { keyOf, readBody } from './read-body.ts';
import { featureFlags, remoteConfig, remoteConfigScript } from './remote-config.ts';
import { translateRequest } from './translate-request.ts';

export function posthogEndpoints(
  deps: BatchEndpointDeps,
): (readonly [path: string, endpoint: Endpoint])[] {
  const events = foreignEndpoint(deps, { read: readBody, keyOf, write: translateRequest });
  const flags = flagsEndpoint(deps);
  const config = settingsEndpoint(
    deps,
    (_incoming, key) => key,
    (_account, writeKey) => remoteConfig(writeKey),
  );
  return [
    ...withSlash(POSTHOG_EVENT_PATHS).map(path => [path, events] as const),
    ...withSlash(POSTHOG_FLAGS_PATHS).map(path => [path, flags] as const),
    [POSTHOG_CONFIG_PATH, config],
    [`${POSTHOG_CONFIG_PATH}.js`, scriptEndpoint(config)],
  ];
}

/** The clients send it, and proxies may remove it. */
function withSlash(paths: readonly string[]): readonly string[] {
  return paths.flatMap(path => [path, `${path}/`]);
}

function scriptEndpoint(config: Endpoint): Endpoint {
  return {
    ...config,
    async handle(incoming, body, writeKey, doneWithBody) {
      const reply = await config.handle(incoming, body, writeKey, doneWithBody);
      if (reply.status !== 200) return reply;
      return { ...reply, contentType: SCRIPT_TYPE, body: remoteConfigScript(writeKey) };
    },
  };
}

const SCRIPT_TYPE = 'text/javascript; charset=utf-8';

function flagsEndpoint(deps: BatchEndpointDeps): Endpoint {
  return {
    methods: ['POST'],
    allowedHeaders: CLIENT_HEADERS,
    async handle(incoming, bytes) {
      const body = await readBody(incoming, bytes);
      return sayMessage(
        isProblem(body)
          ? settingsProblem(deps, incoming, body)
          : settingsReply(deps, incoming, keyOf(incoming, body.value), featureFlags),
      );
    },
  };
}
