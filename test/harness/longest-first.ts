// The order of the test files. Vitest starts the longest files first if it knows their durations; in
// a fresh checkout it does not, and a long file that starts last leaves the other core idle.

import { relative, sep } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Each takes more than half a minute. The other files fill the gaps. */
const LONG = [
  'test/faults/both-away.test.ts',
  'test/embedded/start.test.ts',
  'test/journeys/exactly-once.test.ts',
  'test/graphql-api/privacy/erase-person.test.ts',
  'test/graphql-api/app/walls.test.ts',
  'test/migrations/reports-per-person.test.ts',
  'test/graphql-api/insights/funnel.properties.test.ts',
  'test/simulator/simulation.test.ts',
  'test/graphql-api/platform/warehouse/outbox-faults.test.ts',
  'test/console/templates.test.ts',
  'test/graphql-api/partner/ledger/properties.test.ts',
  'test/console/payments.test.ts',
  'test/console/partner.test.ts',
  'test/console/webhooks.test.ts',
  'test/console/live.test.ts',
  'embedded/clickhouse/test/process.test.ts',
  'test/console/late-data.test.ts',
  'test/faults/requeue-spool.test.ts',
  'test/console/campaigns.test.ts',
  'test/faults/unknown-outcomes.test.ts',
  'test/faults/lost-parts.test.ts',
  'test/journeys/lifecycle.test.ts',
  'test/graphql-api/platform/warehouse/outages.test.ts',
  'test/graphql-api/journeys/properties.test.ts',
  'test/faults/clickhouse-away.test.ts',
  'test/faults/sdk-edge-outage.test.ts',
  'test/faults/kill-at-each-point.test.ts',
  'test/faults/refused-rows.test.ts',
  'test/graphql-api/platform/jobs/jobs.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const place = (file: TestSpecification) => {
      const path = relative(file.project.config.root, file.moduleId).replaceAll(sep, '/');
      const index = LONG.indexOf(path);
      return index === -1 ? LONG.length : index;
    };
    // The sort is stable, so the other files keep their order.
    return sorted.sort((a, b) => place(a) - place(b));
  }
}
