// Installs the Kafka brokers of the tests with Maven, into a folder that git ignores. Without Java or
// Maven, these tests are skipped. npm run brokers

import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { KAFKA_LIBRARIES } from './libraries.ts';

/** A registry that does not respond must not block tests that do not need it. */
const TIMEOUT_MS = 5 * 60_000;

try {
  mkdirSync(KAFKA_LIBRARIES, { recursive: true });
  execFileSync(
    'mvn',
    [
      '--quiet',
      '--batch-mode',
      'dependency:copy-dependencies',
      '-DincludeScope=runtime',
      `-DoutputDirectory=${KAFKA_LIBRARIES}`,
    ],
    { cwd: import.meta.dirname, stdio: ['ignore', 'inherit', 'inherit'], timeout: TIMEOUT_MS },
  );
  process.stdout.write('Kafka: installed\n');
} catch (error) {
  process.stdout.write(`Kafka: not installed, its tests are skipped (${String(error)})\n`);
}
