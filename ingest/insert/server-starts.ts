// When the servers of ClickHouse were started. One that lost power may have lost parts that it had
// confirmed, so its restart is a reason to look at delivered rows again.

import type { ClickHouse } from './clickhouse.ts';
import { askShards } from './replicas.ts';

export class ServerStarts {
  private readonly clickhouse: ClickHouse;
  /** In seconds since 1970, by host and port; there may be several servers behind one address. */
  private readonly known = new Map<string, number>();

  constructor(clickhouse: ClickHouse) {
    this.clickhouse = clickhouse;
  }

  /** Whether a server that answers was restarted since it last answered. */
  async hasRestarted(): Promise<boolean> {
    const answers = await askShards(
      this.clickhouse,
      'SELECT hostName(), toUnixTimestamp(now()) - uptime(), tcpPort() FORMAT TSV',
    );
    // Each response is recorded, regardless of the others.
    return answers.map(answer => this.note(answer)).includes(true);
  }

  private note(answer: string): boolean {
    const [host, text, port] = answer.trim().split('\t');
    const server = `${host}:${port}`;
    const started = Number(text);
    const before = this.known.get(server);
    this.known.set(server, started);
    return before !== undefined && Math.abs(started - before) > CLOCK_GRAIN_SECONDS;
  }

  /** The latest start of a server that has answered, in milliseconds since 1970. */
  latestMs(): number {
    return Math.max(...this.known.values()) * 1000;
  }
}

/** Both clocks in the subtraction tick in whole seconds. */
const CLOCK_GRAIN_SECONDS = 2;
