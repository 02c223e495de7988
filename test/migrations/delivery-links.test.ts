// Deliveries stored under a contact ID or a device are assigned to their person if stored rows show
// who it is.

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { derivedUuid } from '../../schema/values/derived-uuid.ts';
import { newWarehouse, rowsOf, statementsOf } from './new-warehouse.ts';

const FILE = '0006_delivery_links.sql';
const BEFORE = [
  '0001_events.sql',
  '0002_sdk_edge.sql',
  '0003_reports.sql',
  '0004_send_audits.sql',
  '0005_reports_per_person.sql',
];
const STATEMENTS = await statementsOf(FILE);

type Ids = { user_id?: string; contact_id?: string; anonymous_id?: string };

test.each([0, STATEMENTS.length])(
  'each person has one stored delivery, even if %i of the statements ran before',
  async done => {
    const { client, migrateTo } = await newWarehouse();
    await migrateTo(BEFORE);
    const workspace_id = randomUUID();
    const property_id = randomUUID();
    const idOf = (message: string, kind: string, id: string) =>
      derivedUuid(workspace_id, property_id, 'push', message, kind, id);
    const odd = 'ü"/\\ 🚀\n';
    const row = (message_id: string, status: string, rank: number, ids: Ids) => {
      // Named like earlier releases did.
      const { user_id = '', contact_id = '', anonymous_id = '' } = ids;
      const [kind, id] = contact_id
        ? ['contact', contact_id]
        : user_id
          ? ['user', user_id]
          : ['anonymous', anonymous_id];
      const delivery_id = idOf(message_id, kind!, id!);
      const who = { user_id: user_id || contact_id, contact_id, anonymous_id };
      return {
        workspace_id,
        property_id,
        channel: 'push',
        delivery_id,
        message_id,
        status,
        rank,
        ...who,
      };
    };
    await client.insert({
      table: 'deliveries_raw',
      format: 'JSONEachRow',
      values: [
        row('fallback', 'shown', 1, { contact_id: odd }),
        row('fallback', 'clicked', 3, { user_id: odd }),
        row('device', 'clicked', 3, { anonymous_id: odd }),
        row('device', 'shown', 1, { user_id: 'u', anonymous_id: odd }),
        row('both', 'dismissed', 2, { user_id: 'u', contact_id: 'c' }),
        row('both', 'shown', 1, { user_id: 'u' }),
        row('strangers', 'shown', 1, { user_id: 'u' }),
        row('strangers', 'shown', 1, { anonymous_id: 'a' }),
      ],
    });
    for (const query of STATEMENTS.slice(0, done)) await client.command({ query });
    await migrateTo([...BEFORE, FILE]);
    const found = await rowsOf(
      client,
      `SELECT message_id, status, user_id, anonymous_id, delivery_id FROM deliveries
       ORDER BY message_id, user_id`,
    );
    const of = (message_id: string, status: string, user_id: string, anonymous_id = '') => ({
      message_id,
      status,
      user_id,
      anonymous_id,
      delivery_id:
        user_id === ''
          ? idOf(message_id, 'anonymous', anonymous_id)
          : idOf(message_id, 'user', user_id),
    });
    expect(found).toEqual([
      of('both', 'dismissed', 'u'),
      of('device', 'clicked', 'u', odd),
      of('fallback', 'clicked', odd),
      of('strangers', 'shown', '', 'a'),
      of('strangers', 'shown', 'u'),
    ]);
    await client.close();
  },
);
