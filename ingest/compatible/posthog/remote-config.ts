// The remote configuration and feature flags that PostHog's browser client requests when it starts.
// There are no flags, and every feature that needs other endpoints is off, such as session
// recordings, surveys and heatmaps.

/** `surveys` is omitted: if it is false, the client still loads their script. */
const CONFIG = {
  supportedCompression: ['gzip', 'gzip-js'],
  hasFeatureFlags: false,
  elementsChainAsString: true,
  analytics: { endpoint: '/i/v0/e/' },
  autocapture_opt_out: false,
  autocaptureExceptions: false,
  captureDeadClicks: false,
  capturePerformance: false,
  conversations: false,
  heatmaps: false,
  logs: { captureConsoleLogs: false },
  productTours: false,
  sessionRecording: false,
  siteApps: [],
  toolbarParams: {},
  isAuthenticated: false,
};

export function remoteConfig(writeKey: string): object {
  return { token: writeKey, ...CONFIG };
}

/** The same as a script, which the client loads first. */
export function remoteConfigScript(writeKey: string): string {
  const [key, config] = [writeKey, { config: remoteConfig(writeKey), siteApps: [] }];
  return `(window._POSTHOG_REMOTE_CONFIG=window._POSTHOG_REMOTE_CONFIG||{})[${JSON.stringify(key)}]=${JSON.stringify(config)};\n`;
}

/** Earlier clients request both at once. */
export function featureFlags(): object {
  return {
    ...CONFIG,
    flags: {},
    featureFlags: {},
    featureFlagPayloads: {},
    errorsWhileComputingFlags: false,
  };
}
