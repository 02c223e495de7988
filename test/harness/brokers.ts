// Real Kafka brokers for a test file: processes that are each a broker and a controller, with timeouts
// at which a killed broker is replaced within about three seconds. Measured brokers have the settings
// that docs/operators.md recommends, and a controller of their own.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { freePort } from '../../embedded/ports.ts';
import { KAFKA_LIBRARIES } from './kafka/libraries.ts';
import { type Secured, scramUsers, securedSettings } from './kafka/secured-listener.ts';

export { hasBrokers } from './kafka/libraries.ts';

/** Less ends in an out-of-memory error at the start. */
const HEAP_MB = 256;
/** Kafka's own default. With less, brokers under load spend a third of their CPU time on garbage. */
const MEASURED_HEAP_MB = 1024;
const CLASSPATH = join(KAFKA_LIBRARIES, '*');
const MEGABYTE = 1024 * 1024;
const GIGABYTE = 1024 * MEGABYTE;
const LOG_LINES_MAX = 200;
/** Compiling less makes the start faster, and the brokers of tests have little to do. */
const QUICK_START = '-XX:TieredStopAtLevel=1';
/** A 16-byte ID in base64url. */
const CLUSTER_ID = 'MkU3OEVBNTcwNTJENDM2Qg';

export type Brokers = {
  /** `host:port` of each, comma-separated. */
  readonly addresses: string;
  readonly count: number;
  pid(index: number): number;
  isRunning(index: number): boolean;
  /** Resolves when it has exited. */
  kill9(index: number): Promise<void>;
  /** Resolves when it serves. */
  start(index: number): Promise<void>;
  /** SIGSTOP and SIGCONT: a broker that accepts connections and answers nothing. */
  suspend(index: number): void;
  resume(index: number): void;
  logs(): string;
  stop(): Promise<void>;
};

export type BrokersOptions = {
  readonly count?: number;
  /** Clients use TLS and log in, instead of neither. */
  readonly secured?: Secured;
  /** Their CPU time counts, so they compile their code and keep files as in production. */
  readonly isMeasured?: boolean;
};

export async function startBrokers(
  directory: string,
  options: BrokersOptions = {},
): Promise<Brokers> {
  const { count = 3, secured, isMeasured = false } = options;
  const nodes = await prepare(directory, options);
  const running = new Map<number, ChildProcess>();
  const lines: string[] = [];

  async function start(index: number): Promise<void> {
    const { properties, path } = nodes[index]!;
    const child = spawn(
      'java',
      [
        ...(isMeasured ? [] : [QUICK_START]),
        ...heapOptions(isMeasured ? MEASURED_HEAP_MB : HEAP_MB),
        `-Dlog4j2.configurationFile=${join(import.meta.dirname, 'kafka', 'log4j2.properties')}`,
        '-cp',
        CLASSPATH,
        'kafka.Kafka',
        properties,
      ],
      { cwd: path, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    running.set(index, child);
    const served = new Promise<void>((resolve, reject) => {
      for (const stream of [child.stdout!, child.stderr!])
        createInterface({ input: stream }).on('line', line => {
          lines.push(`${index}: ${line}`);
          if (lines.length > LOG_LINES_MAX) lines.shift();
          if (line.includes('Kafka Server started')) resolve();
        });
      child.once('exit', code => reject(new Error(`broker ${index} exited with code ${code}`)));
    });
    served.catch(() => undefined);
    await served.catch(error => {
      throw new Error(`A broker did not start. Log:\n${lines.join('\n')}`, { cause: error });
    });
  }

  const isRunning = (index: number) => {
    const child = running.get(index);
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  };
  async function kill9(index: number): Promise<void> {
    if (!isRunning(index)) return;
    const child = running.get(index)!;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
  const all = nodes.map((_, index) => index);
  const stop = async () => void (await Promise.all(all.map(kill9)));
  try {
    await Promise.all(all.map(start));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    addresses: nodes
      .slice(0, count)
      .map(({ port }) => `${secured ? 'localhost' : '127.0.0.1'}:${port}`)
      .join(),
    count,
    pid: index => running.get(index)!.pid!,
    isRunning,
    kill9,
    start,
    suspend: index => void running.get(index)!.kill('SIGSTOP'),
    resume: index => void running.get(index)!.kill('SIGCONT'),
    logs: () => lines.join('\n'),
    stop,
  };
}

function heapOptions(megabytes: number): string[] {
  return [`-Xms${megabytes}m`, `-Xmx${megabytes}m`];
}

type Node = { readonly port: number; readonly path: string; readonly properties: string };

/**
 * Writes the configuration of each node and formats its directory. The brokers come first; measured
 * ones are followed by their controller.
 */
async function prepare(
  directory: string,
  { count = 3, secured, isMeasured = false }: BrokersOptions,
): Promise<Node[]> {
  const nodeCount = isMeasured ? count + 1 : count;
  const ids = Array.from({ length: nodeCount }, (_, index) => index + 1);
  const ports = await Promise.all(ids.map(() => freePort()));
  const controllers = await Promise.all(ids.map(() => freePort()));
  const voters = ids
    .map((id, i) => `${id}@127.0.0.1:${controllers[i]}`)
    .slice(isMeasured ? count : 0)
    .join();
  return Promise.all(
    ids.map(async (id, i) => {
      const path = join(directory, `broker-${id}`);
      await mkdir(path, { recursive: true });
      const properties = join(path, 'server.properties');
      const port = ports[i]!;
      const controller = controllers[i]!;
      const own = secured
        ? securedSettings(secured, port, await freePort(), controller)
        : plainSettings(port, controller);
      const all = {
        ...own,
        ...commonSettings(id, voters, path, count),
        ...(isMeasured ? measuredSettings(id > count, port, controller) : {}),
      };
      const lines = Object.entries(all).map(([name, value]) => `${name}=${value}\n`);
      await writeFile(properties, lines.join(''));
      await format(properties, path, secured ? scramUsers(secured) : []);
      return { port, path, properties };
    }),
  );
}

async function format(properties: string, path: string, users: readonly string[]): Promise<void> {
  const options = [
    QUICK_START,
    ...heapOptions(HEAP_MB),
    '-cp',
    CLASSPATH,
    'kafka.tools.StorageTool',
    'format',
  ];
  await promisify(execFile)(
    'java',
    [...options, '--cluster-id', CLUSTER_ID, '--config', properties, ...users],
    { cwd: path },
  );
}

function plainSettings(port: number, controllerPort: number): Record<string, string> {
  return {
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
  };
}

function commonSettings(
  id: number,
  voters: string,
  path: string,
  count: number,
): Record<string, string | number | boolean> {
  return {
    'process.roles': 'broker,controller',
    'node.id': id,
    'controller.quorum.voters': voters,
    'controller.listener.names': 'CONTROLLER',
    'log.dirs': join(path, 'data'),
    'auto.create.topics.enable': false,
    'offsets.topic.num.partitions': 3,
    'offsets.topic.replication.factor': count,
    'transaction.state.log.num.partitions': 3,
    'transaction.state.log.replication.factor': count,
    'transaction.state.log.min.isr': Math.min(2, count),
    'log.segment.bytes': 16 * MEGABYTE,
    'group.initial.rebalance.delay.ms': 0,
    // A killed broker is replaced after three seconds instead of nine.
    'broker.session.timeout.ms': 3_000,
    'broker.heartbeat.interval.ms': 500,
    'replica.lag.time.max.ms': 3_000,
    'controller.quorum.fetch.timeout.ms': 2_000,
    'controller.quorum.request.timeout.ms': 1_000,
    'controller.socket.timeout.ms': 3_000,
  };
}

/** Those of production. Tests share the machine with others, so they give a slow broker more time. */
function measuredSettings(
  isController: boolean,
  port: number,
  controllerPort: number,
): Record<string, string | number> {
  return {
    'process.roles': isController ? 'controller' : 'broker',
    listeners: isController
      ? `CONTROLLER://127.0.0.1:${controllerPort}`
      : `PLAINTEXT://127.0.0.1:${port}`,
    'advertised.listeners': isController ? '' : `PLAINTEXT://127.0.0.1:${port}`,
    'log.segment.bytes': GIGABYTE,
    'broker.session.timeout.ms': 2_000,
    'broker.heartbeat.interval.ms': 300,
    'replica.lag.time.max.ms': 2_000,
  };
}
