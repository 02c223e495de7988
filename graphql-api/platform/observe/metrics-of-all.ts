// The metrics of several API processes on one port: any of them can respond for all, because it asks the
// primary, which collects the metrics of each and adds them up.

import cluster from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';

type Message = {
  readonly kind: 'metrics';
  readonly id: number;
  readonly text?: string;
  readonly error?: string;
};

/** Called once per process. Without a primary, returns the metrics of the process. */
export function metricsOfAll(registry: Registry): () => Promise<string> {
  if (!cluster.isWorker) return () => registry.metrics();
  AggregatorRegistry.setRegistries(registry);
  // The constructor adds the listener that answers the primary.
  new AggregatorRegistry();
  const waiting = new Map<number, PromiseWithResolvers<string>>();
  let nextId = 0;
  process.on('message', (message: Message) => {
    if (message.kind !== 'metrics') return;
    const { text, error } = message;
    if (text === undefined) waiting.get(message.id)?.reject(new Error(error));
    else waiting.get(message.id)?.resolve(text);
    waiting.delete(message.id);
  });
  return () => {
    const id = nextId++;
    const answer = Promise.withResolvers<string>();
    waiting.set(id, answer);
    process.send?.({ kind: 'metrics', id } satisfies Message);
    return answer.promise;
  };
}

/** In the primary: answers the processes. */
export function answerMetricsRequests(): void {
  const registry = new AggregatorRegistry();
  cluster.on('message', (worker, { kind, id }: Message) => {
    if (kind !== 'metrics') return;
    const answer = (result: Pick<Message, 'text' | 'error'>) => {
      if (worker.isConnected()) worker.send({ kind, id, ...result });
    };
    registry.clusterMetrics().then(
      text => answer({ text }),
      (error: Error) => answer({ error: error.message }),
    );
  });
}
