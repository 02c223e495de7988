// Postgres as the outbox meets it: a connection that comes and goes, statements that commit and
// then lose the connection, and what `ON CONFLICT DO NOTHING` makes of a repeat.

import type pg from 'pg';
import type { VirtualClock } from './virtual-clock.ts';

type Statement = { readonly name: string; readonly values: readonly (readonly unknown[])[] };

export type Exposure = { readonly userId: unknown; readonly campaignId: unknown };

const RECONNECT_MS = 700;

export class SimulatedPostgres {
  readonly exposures = new Map<string, Exposure>();
  /** A row with this id came again with other values. */
  readonly contradictions: string[] = [];
  /** By user id, the traits of each update that was applied. */
  readonly contacts = new Map<string, Set<string>>();
  /** The chance that a statement meets a fault. */
  faultRate = 0;
  private readonly random: () => number;
  private readonly clock: VirtualClock;

  constructor(random: () => number, clock: VirtualClock) {
    this.random = random;
    this.clock = clock;
  }

  /** A process's link: when the process dies, what it has sent is still done, and nothing else. */
  connect(): { client: pg.Client | undefined; drop: () => void; die: () => void } {
    let isDead = false;
    const silence = () => new Promise<never>(() => undefined);
    const query = async (statement: Statement) => {
      if (isDead) return silence();
      try {
        return await this.query(statement);
      } finally {
        if (isDead) await silence();
      }
    };
    const client = { query } as unknown as pg.Client;
    const link = {
      client: client as pg.Client | undefined,
      drop: () => {
        link.client = undefined;
        void this.clock.sleep(RECONNECT_MS).then(() => {
          link.client = client;
        });
      },
      die: () => {
        isDead = true;
      },
    };
    return link;
  }

  private async query(statement: Statement): Promise<void> {
    await new Promise<void>(resolve => setImmediate(resolve));
    const isFaulty = this.random() < this.faultRate;
    if (isFaulty && this.random() < 0.5) throw new Error('Connection terminated before it ran');
    this.run(statement);
    if (isFaulty) throw new Error('Connection terminated after the commit');
  }

  private run({ name, values }: Statement): void {
    if (name === 'write-exposures') this.writeExposures(values);
    else if (name === 'update-contacts') this.updateContacts(values);
    else if (name !== 'add-contacts')
      throw new Error(`The simulated Postgres does not know: ${name}`);
  }

  private writeExposures([ids = [], , userIds = [], campaignIds = []]: Statement['values']): void {
    for (const [i, id] of ids.entries()) {
      const exposure = { userId: userIds[i], campaignId: campaignIds[i] };
      const known = this.exposures.get(String(id));
      if (known === undefined) this.exposures.set(String(id), exposure);
      else if (known.userId !== exposure.userId || known.campaignId !== exposure.campaignId)
        this.contradictions.push(String(id));
    }
  }

  private updateContacts([, userIds = [], , traits = []]: Statement['values']): void {
    for (const [i, userId] of userIds.entries()) {
      const applied = this.contacts.get(String(userId)) ?? new Set();
      this.contacts.set(String(userId), applied.add(String(traits[i])));
    }
  }
}
