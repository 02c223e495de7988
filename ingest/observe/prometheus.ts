// The classes of prom-client, without the rest of it. Its index also loads the default metrics, the
// push gateway and OpenTelemetry's API, which take 40 ms of CPU in every thread.

import { createRequire } from 'node:module';
import type * as PromClient from 'prom-client';

const load = createRequire(import.meta.url);

export const Counter = load('prom-client/lib/counter.js') as typeof PromClient.Counter;
export const Gauge = load('prom-client/lib/gauge.js') as typeof PromClient.Gauge;
export const Histogram = load('prom-client/lib/histogram.js') as typeof PromClient.Histogram;
export const Registry = load('prom-client/lib/registry.js') as typeof PromClient.Registry;
export type Registry = PromClient.Registry;
