import type { Logger } from 'pino';
import { v7 as uuidV7 } from 'uuid';
import { createReportOutage } from '../../schema/telemetry/report-outage.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Metrics } from '../observe/metrics.ts';
import { BrokerLog } from './broker-log.ts';
import type { BrokersConfig } from './brokers-config.ts';
import { Lane } from './lane.ts';
import { encodeProbe } from './record.ts';
import { cellNames } from './topic-names.ts';

type Deps = { readonly clock: Clock; readonly metrics: Metrics; readonly log: Logger };

/** The replicated logs of a thread, one for each cell. */
export function openBrokerLogs(
  brokers: BrokersConfig,
  { clickhouseUrls }: Pick<Config, 'clickhouseUrls'>,
  { clock, metrics, log }: Deps,
): readonly BrokerLog[] {
  return Object.keys(clickhouseUrls).map(cell => {
    const report = createReportOutage(facts =>
      log.warn({ cell, ...facts }, 'no acknowledgement from the brokers: events are refused'),
    );
    return new BrokerLog({
      cell,
      clock,
      openLane: of =>
        new Lane({
          config: brokers,
          topic: cellNames(brokers.prefix, cell)[of],
          clock,
          random: Math.random,
          newProbe: () => encodeProbe(uuidV7(), clock.nowMs()),
          onFailure: error => {
            metrics.logAppendFailures.inc();
            report(error);
          },
        }),
      newId: uuidV7,
      onCommit: ({ bytes, ms }) => {
        metrics.logAppendSeconds.observe(ms / 1000);
        metrics.logAppendBytes.inc(bytes);
      },
    });
  });
}
