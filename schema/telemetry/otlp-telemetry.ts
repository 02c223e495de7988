// Sends spans and metrics over OTLP/HTTP. Loaded by telemetry.ts.

import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { metricProducer } from './metric-producer.ts';
import { samplerOf } from './sampler.ts';
import type { FinishedWork, Telemetry, TelemetryOptions } from './telemetry.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
} as const;
/** The defaults of the specification. */
const EXPORT_INTERVAL_MS = 60_000;
const SPAN_DELAY_MS = 5_000;
const STOP_TIMEOUT_MS = 2_000;

export function createOtlpTelemetry(env: Environment, options: TelemetryOptions): Telemetry {
  const resource = defaultResource()
    .merge(
      resourceFromAttributes({
        'service.name': options.serviceName,
        'service.version': options.version,
      }),
    )
    .merge(detectResources({ detectors: [envDetector] }));
  const stopMetrics = startMetrics(env, options, resource);
  if (env.OTEL_TRACES_EXPORTER?.trim() === 'none')
    return {
      record: () => undefined,
      serve: (_parent, work) => work(() => undefined),
      stop: () => inTime(stopMetrics()),
    };
  return createTraces(env, options, resource, stopMetrics);
}

function createTraces(
  env: Environment,
  { version }: TelemetryOptions,
  resource: Resource,
  stopMetrics: () => Promise<void>,
): Telemetry {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const processor = new BatchSpanProcessor({
    exporter: new OTLPTraceExporter(),
    scheduledDelayMillis: Number(env.OTEL_BSP_SCHEDULE_DELAY) || SPAN_DELAY_MS,
  });
  const provider = new TracerProvider({
    resource,
    sampler: samplerOf(env),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer('engagement-service', version);
  return {
    record({ name, kind, startedAtMs, attributes, hasFailed }: FinishedWork) {
      const startTime = performance.timeOrigin + startedAtMs;
      const span = tracer.startSpan(name, { kind: KINDS[kind], startTime, attributes });
      if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
    serve(traceparent, work) {
      const carrier = traceparent === undefined ? {} : { traceparent };
      const parent = propagation.extract(context.active(), carrier);
      const span = tracer.startSpan('request', { kind: SpanKind.SERVER }, parent);
      const end = ({ name, attributes, hasFailed }: Parameters<Parameters<typeof work>[0]>[0]) => {
        span.updateName(name).setAttributes(attributes);
        if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR });
      };
      return context.with(trace.setSpan(parent, span), () => work(end)).finally(() => span.end());
    },
    stop: () => inTime(Promise.allSettled([provider.shutdown(), stopMetrics()])),
  };
}

/** A collector that is unavailable must not delay a shutdown. */
function inTime(stopping: Promise<unknown>): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, STOP_TIMEOUT_MS);
    void stopping.finally(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function startMetrics(
  env: Environment,
  { readMetrics, version }: TelemetryOptions,
  resource: Resource,
): () => Promise<void> {
  if (readMetrics === undefined || env.OTEL_METRICS_EXPORTER?.trim() === 'none')
    return async () => undefined;
  const exportIntervalMillis = Number(env.OTEL_METRIC_EXPORT_INTERVAL) || EXPORT_INTERVAL_MS;
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(),
    exportIntervalMillis,
    exportTimeoutMillis: exportIntervalMillis,
    metricProducers: [metricProducer(readMetrics, resource, version)],
  });
  const provider = new MeterProvider({ resource, readers: [reader] });
  return () => provider.shutdown();
}
