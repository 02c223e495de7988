// The order of the test files. Vitest starts the longest files first if it knows their durations; in
// a fresh checkout it does not, and a long file that starts last leaves the other core idle.

import { relative, sep } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Each takes more than a minute on a busy machine. The other files fill the gaps. */
const LONG = [
  'test/replicated-log/kill-any.test.ts',
  'test/embedded/start.test.ts',
  'test/embedded/running-service.test.ts',
  'test/graphql-api/events/ingest-delay.test.ts',
  'test/graphql-api/platform/jobs/dead-letters.test.ts',
  'test/faults/both-away.test.ts',
  'test/deploy/alerts-fire-log.test.ts',
  'test/replicated-log/acknowledge.test.ts',
  'test/console/segments.test.ts',
  'test/faults/waiting-segments.test.ts',
  'test/graphql-api/moves/move-workspace.test.ts',
  'test/simulator/simulation.test.ts',
  'test/deploy/rotation.test.ts',
  'test/graphql-api/app/walls.test.ts',
  'test/graphql-api/partner/ledger/properties.test.ts',
  'test/replicated-log/hung-broker.test.ts',
  'test/replicated-log/lost-parts.test.ts',
  'test/faults/sdk-edge-outage.test.ts',
  'test/deploy/two-releases.test.ts',
  'test/graphql-api/app/admin-command.test.ts',
  'test/conformance/conformance.test.ts',
  'test/graphql-api/platform/warehouse/outbox-faults.test.ts',
  'test/replicated-log/login.test.ts',
  'test/faults/refused-rows.test.ts',
  'test/console/journeys.test.ts',
  'test/graphql-api/privacy/erase-person.test.ts',
  'test/console/live.test.ts',
  'test/console/people-timeline.test.ts',
  'test/console/settings.test.ts',
  'test/graphql-api/insights/funnel.properties.test.ts',
  'test/graphql-api/segments/segment.properties.test.ts',
  'test/faults/requeue-spool.test.ts',
  'test/console/operations.test.ts',
  'test/console/templates.test.ts',
  'test/ingest/settle/readers.test.ts',
  'test/graphql-api/insights/retention.properties.test.ts',
  'test/console/payments.test.ts',
  'test/console/people.test.ts',
  'test/console/people-erasure.test.ts',
  'test/console/live-list.test.ts',
  'test/faults/unknown-outcomes.test.ts',
  'test/console/rejected.test.ts',
  'test/deploy/release.test.ts',
  'test/faults/kill-at-each-point.test.ts',
  'test/backup/backup.test.ts',
  'test/graphql-api/insights/funnel.test.ts',
  'test/console/insights.test.ts',
  'test/graphql-api/partner/refer.301.test.ts',
  'test/simulator/log-simulation.test.ts',
  'test/deploy/alerts-fire-ingest.test.ts',
  'test/console/late-data.test.ts',
  'test/ingest/metrics-of-loss.test.ts',
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
