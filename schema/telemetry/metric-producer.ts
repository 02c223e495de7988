// Converts the metrics that Prometheus scrapes, so that a collector receives the same.

import { type HrTime, ValueType } from '@opentelemetry/api';
import { hrTime } from '@opentelemetry/core';
import type { Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { ReadMetrics } from './telemetry.ts';

type Metric = MetricObjectWithValues<MetricValue<string>>;
type Times = { readonly startTime: HrTime; readonly endTime: HrTime };
type Labels = MetricValue<string>['labels'];

export function metricProducer(
  readMetrics: ReadMetrics,
  resource: Resource,
  version: string,
): MetricProducer {
  const startTime = hrTime();
  return {
    async collect() {
      const times = { startTime, endTime: hrTime() };
      const metrics = (await readMetrics()).map(metric => dataOf(metric, times));
      const scopeMetrics = [{ scope: { name: 'engagement-service', version }, metrics }];
      return { resourceMetrics: { resource, scopeMetrics }, errors: [] };
    },
  };
}

function dataOf(metric: Metric, times: Times): MetricData {
  const { name, help, type, values } = metric;
  const common = {
    descriptor: { name, description: help, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const points = () =>
    values.map(({ value, labels }) => ({ ...times, attributes: labels as Attributes, value }));
  // prom-client writes the type as a word in JSON, unlike in its declaration.
  switch (String(type)) {
    case 'counter':
      return {
        ...common,
        dataPointType: DataPointType.SUM,
        isMonotonic: true,
        dataPoints: points(),
      };
    case 'histogram':
      return {
        ...common,
        dataPointType: DataPointType.HISTOGRAM,
        dataPoints: histograms(metric, times),
      };
    default:
      return { ...common, dataPointType: DataPointType.GAUGE, dataPoints: points() };
  }
}

type Attributes = Record<string, string | number>;
type Series = { attributes: Attributes; buckets: [le: number, count: number][]; sum: number };

/** prom-client has a value per bucket, with counts that include the lower buckets. */
function histograms({ name, values }: Metric, times: Times) {
  const series = new Map<string, Series>();
  for (const { metricName, labels, value } of values as (MetricValue<string> & {
    metricName?: string;
  })[]) {
    const { le, ...attributes } = labels as Labels & Attributes;
    const key = JSON.stringify(attributes);
    const one = series.get(key) ?? { attributes, buckets: [], sum: 0 };
    series.set(key, one);
    if (metricName === `${name}_sum`) one.sum = value;
    else if (le !== undefined) one.buckets.push([le === '+Inf' ? Infinity : Number(le), value]);
  }
  return [...series.values()].map(({ attributes, buckets, sum }) => {
    const sorted = buckets.sort(([a], [b]) => a - b);
    const counts = sorted.map(([, count], i) => count - (sorted[i - 1]?.[1] ?? 0));
    const boundaries = sorted.map(([le]) => le).filter(Number.isFinite);
    const count = sorted.at(-1)?.[1] ?? 0;
    return { ...times, attributes, value: { buckets: { boundaries, counts }, sum, count } };
  });
}
