// Traces and metrics by OpenTelemetry, off unless its standard variables name a collector. The
// packages are loaded only then, so that it costs nothing otherwise.

import type { MetricObjectWithValues, MetricValue } from 'prom-client';

export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** What has happened, with the time on the clock of `performance.now()`. */
export type FinishedWork = {
  readonly name: string;
  /** Whether it was a request to us, a request of ours to another program, or neither. */
  readonly kind: 'server' | 'client' | 'internal';
  readonly startedAtMs: number;
  readonly attributes: Attributes;
  readonly hasFailed?: boolean;
};

export type Telemetry = {
  /** Records a span after the fact, as a child of the current one. */
  record(work: FinishedWork): void;
  /** Runs work in a span that is the parent of all spans recorded meanwhile. `end` describes it. */
  serve<T>(traceparent: string | undefined, work: (end: EndSpan) => Promise<T>): Promise<T>;
  /** Sends what is not sent yet. */
  stop(): Promise<void>;
};

type EndSpan = (finished: Pick<FinishedWork, 'name' | 'attributes' | 'hasFailed'>) => void;

export type ReadMetrics = () => Promise<readonly MetricObjectWithValues<MetricValue<string>>[]>;

export type TelemetryOptions = {
  /** Unless OTEL_SERVICE_NAME is set. */
  readonly serviceName: string;
  readonly version: string;
  /** The metrics to send; undefined for traces only. */
  readonly readMetrics?: ReadMetrics;
};

type Environment = Readonly<Record<string, string | undefined>>;

const ENDPOINTS = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
];

let current: Telemetry | undefined;

/** Undefined unless a collector is set. */
export function telemetry(): Telemetry | undefined {
  return current;
}

/** Called once per process and thread, before any work. */
export async function startTelemetry(env: Environment, options: TelemetryOptions): Promise<void> {
  const isOff = env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true';
  if (isOff || !ENDPOINTS.some(name => env[name]?.trim())) return;
  const { createOtlpTelemetry } = await import('./otlp-telemetry.ts');
  current = createOtlpTelemetry(env, options);
}
