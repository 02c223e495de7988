// Anything may happen between the commit in ClickHouse and the response to the inserter. Two
// protections ensure that each row is stored once: the deduplication token, and the query for the
// number of stored rows of a block. Rows are counted in events_raw, with merges stopped, so that
// duplicates are visible. Each protection is also tested alone, and each fault without the
// protection against it: in that case there must be duplicates.

import { describe, expect, test } from 'vitest';
import { EACH_ONCE, tally, untilDrained } from '../harness/copies.ts';
import { eventually } from '../harness/eventually.ts';
import {
  answerNone,
  createBarrier,
  deliverTwice,
  failAfterCommit,
  firstTryOnly,
  type Handling,
  loseAnswer,
  pass,
} from '../harness/fault-proxy.ts';
import { useClickHouse } from '../harness/own-clickhouse.ts';
import { openScene, type Scene, type TestHooks } from './scene.ts';

const VIOLATED_CONSTRAINT = 469;
/** One late, one on time, so that a segment becomes two blocks. */
const TIMESTAMPS = ['"2024-05-01T00:00:00.000Z"', `"${new Date().toISOString()}"`];
const EVENTS = 40;

/**
 * Without the token, ClickHouse stores every insert it receives. Without the query, the inserter
 * wrongly assumes that no rows are stored, as it would if it queried too early.
 */
type Protections = { readonly token: boolean; readonly question: boolean };
const BOTH: Protections = { token: true, question: true };
const TOKEN_ALONE: Protections = { token: true, question: false };
const QUESTION_ALONE: Protections = { token: false, question: true };
const NEITHER: Protections = { token: false, question: false };

const clickhouse = useClickHouse();

async function openWith(test: TestHooks, { token, question }: Protections): Promise<Scene> {
  const scene = await openScene(test, clickhouse().url);
  scene.proxy.withoutDeduplication = !token;
  scene.proxy.onQuestion = question ? pass : firstTryOnly(answerNone);
  return scene;
}

function send(scene: Scene): Promise<string[]> {
  return scene.send(EVENTS, i => ({ timestamp: TIMESTAMPS[i % TIMESTAMPS.length] }));
}

async function expectEachOnce({ tenant }: Scene, ids: readonly string[]): Promise<void> {
  expect(await tally(clickhouse(), 'events_raw', tenant.workspaceId, ids)).toEqual(EACH_ONCE);
  expect(await tally(clickhouse(), 'events', tenant.workspaceId, ids)).toEqual(EACH_ONCE);
}

/** Proves that the count would show duplicates. Analysts still see each event once. */
async function expectDoubled({ tenant }: Scene, ids: readonly string[], count = EVENTS) {
  const raw = await tally(clickhouse(), 'events_raw', tenant.workspaceId, ids);
  expect({ ...raw, doubled: raw.doubled.length }).toEqual({ ...EACH_ONCE, doubled: count });
  expect(await tally(clickhouse(), 'events', tenant.workspaceId, ids)).toEqual(EACH_ONCE);
}

/** Applies the fault to the first attempt of each block. */
async function face(scene: Scene, fault: Handling): Promise<string[]> {
  scene.proxy.onInsert = firstTryOnly(fault);
  const ids = await send(scene);
  await scene.settled();
  return ids;
}

describe('the response to a committed insert is lost', () => {
  test.concurrent.for([
    { name: 'with both protections', protections: BOTH },
    { name: 'the token alone saves the day', protections: TOKEN_ALONE },
    { name: 'the question alone saves the day', protections: QUESTION_ALONE },
  ])('$name: each event once', async ({ protections }, test) => {
    const scene = await openWith(test, protections);
    await expectEachOnce(scene, await face(scene, loseAnswer));
  });

  test.concurrent('with neither protection each event is stored twice', async test => {
    const scene = await openWith(test, NEITHER);
    await expectDoubled(scene, await face(scene, loseAnswer));
  });
});

describe('an error is returned after the commit', () => {
  test.concurrent.for([
    { name: 'by an intermediary', code: undefined, protections: BOTH },
    { name: 'by an intermediary, token alone', code: undefined, protections: TOKEN_ALONE },
    { name: 'by an intermediary, question alone', code: undefined, protections: QUESTION_ALONE },
    {
      name: 'that says the data was refused',
      code: VIOLATED_CONSTRAINT,
      protections: QUESTION_ALONE,
    },
  ])('$name: each event once', async ({ code, protections }, test) => {
    const scene = await openWith(test, protections);
    await expectEachOnce(scene, await face(scene, failAfterCommit(code)));
  });

  test.concurrent('with neither protection each event is stored twice', async test => {
    const scene = await openWith(test, NEITHER);
    await expectDoubled(scene, await face(scene, failAfterCommit()));
  });
});

describe('an insert reaches ClickHouse more than once', () => {
  test.concurrent('an intermediary repeats it: each event once', async test => {
    const scene = await openWith(test, BOTH);
    await expectEachOnce(scene, await face(scene, deliverTwice));
  });

  test.concurrent('there is no query in between, so without the token each event is stored twice', async test => {
    const scene = await openWith(test, QUESTION_ALONE);
    await expectDoubled(scene, await face(scene, deliverTwice));
  });

  /** The client gets no response, and its request arrives long after the retry. */
  async function faceLateArrival(scene: Scene): Promise<string[]> {
    const late = createBarrier();
    scene.proxy.onInsert = firstTryOnly(async exchange => {
      exchange.cut();
      await late.wait();
      await exchange.forward();
    });
    const ids = await send(scene);
    await untilDrained(scene.ingest);
    await expectEachOnce(scene, ids);
    late.open();
    await scene.settled();
    return ids;
  }

  test.concurrent('the insert arrives after the retry: each event once', async test => {
    const scene = await openWith(test, BOTH);
    await expectEachOnce(scene, await faceLateArrival(scene));
  });

  test.concurrent('the query ran too early, so without the token each event is stored twice', async test => {
    const scene = await openWith(test, QUESTION_ALONE);
    await expectDoubled(scene, await faceLateArrival(scene));
  });
});

describe('kill -9 of ingest between the commit and its confirmation', () => {
  async function killBeforeConfirmation(scene: Scene): Promise<string[]> {
    const { proxy, ingest } = scene;
    const committed = createBarrier();
    proxy.onInsert = async exchange => {
      const answered = await exchange.forward();
      await committed.wait();
      exchange.answer(answered);
    };
    const ids = await send(scene);
    await committed.reached;
    await ingest.kill9();
    proxy.onInsert = pass;
    committed.open();
    await scene.restart();
    await scene.settled();
    return ids;
  }

  test.concurrent.for([
    { name: 'with both protections', protections: BOTH },
    { name: 'the token alone saves the day', protections: TOKEN_ALONE },
    { name: 'the question alone saves the day', protections: QUESTION_ALONE },
  ])('$name: each event once', async ({ protections }, test) => {
    const scene = await openWith(test, protections);
    await expectEachOnce(scene, await killBeforeConfirmation(scene));
  });

  test.concurrent('with neither protection the committed block is stored twice', async test => {
    const scene = await openWith(test, NEITHER);
    const ids = await killBeforeConfirmation(scene);
    await expectDoubled(scene, ids, EVENTS / TIMESTAMPS.length);
  });
});

describe('no response at all', () => {
  test.concurrent('connections are refused for a while: events are acknowledged in the meantime and delivered afterwards', async test => {
    const scene = await openWith(test, BOTH);
    scene.proxy.refuseConnections(true);
    const ids = [...(await send(scene)), ...(await send(scene))];
    const { workspaceId } = scene.tenant;
    expect(await tally(clickhouse(), 'events_raw', workspaceId, [])).toEqual(EACH_ONCE);
    scene.proxy.refuseConnections(false);
    await scene.settled();
    await expectEachOnce(scene, ids);
  });

  test.concurrent('an insert hangs for a while, then succeeds: events are acknowledged in the meantime', async test => {
    const scene = await openWith(test, BOTH);
    const hanging = createBarrier();
    scene.proxy.onInsert = async exchange => {
      await hanging.wait();
      exchange.answer(await exchange.forward());
    };
    const ids = await send(scene);
    await hanging.reached;
    ids.push(...(await send(scene)));
    hanging.open();
    await scene.settled();
    await expectEachOnce(scene, ids);
  });

  test.runIf(process.env.TEST_LONG)(
    'an insert hangs for longer than the timeout, and arrives after the retry',
    { concurrent: true },
    async test => {
      const scene = await openWith(test, BOTH);
      const hanging = createBarrier();
      scene.proxy.onInsert = firstTryOnly(async exchange => {
        await hanging.wait();
        await exchange.forward();
      });
      const ids = await send(scene);
      await untilDrained(scene.ingest);
      await expectEachOnce(scene, ids);
      hanging.open();
      await scene.proxy.idle();
      await expectEachOnce(scene, ids);
    },
  );
});

describe('an insert continues in ClickHouse after its client lost the connection', () => {
  /** Makes each insert as slow as a large one on a busy server. */
  async function withSlowInserts(run: () => Promise<void>): Promise<void> {
    await clickhouse().command(
      'ALTER TABLE events_raw ADD CONSTRAINT slow CHECK sleepEachRow(0.1) = 0',
    );
    try {
      await run();
    } finally {
      await clickhouse().command('ALTER TABLE events_raw DROP CONSTRAINT slow');
    }
  }

  /**
   * Only the check for running queries can prevent a duplicate here: the rows are not stored yet.
   */
  async function faceRunningInsert(scene: Scene): Promise<string[]> {
    const { proxy, tenant } = scene;
    proxy.onInsert = firstTryOnly(async exchange => {
      const forwarded = exchange.forward();
      await eventually(
        async () => {
          const running = await clickhouse().rows(
            'SELECT query_id FROM system.processes WHERE startsWith(query_id, {token:String})',
            { token: exchange.token.slice(0, exchange.token.lastIndexOf('-')) },
          );
          expect(running.length).toBe(1);
        },
        { intervalMs: 20 },
      );
      exchange.cut();
      await forwarded;
    });
    const ids = await scene.send(20);
    await scene.settled();
    expect(await tally(clickhouse(), 'events', tenant.workspaceId, ids)).toEqual(EACH_ONCE);
    return ids;
  }

  test('the inserter waits for it: each event once', test =>
    withSlowInserts(async () => {
      const scene = await openWith(test, QUESTION_ALONE);
      await expectEachOnce(scene, await faceRunningInsert(scene));
    }));

  test('without the check for it, each event is stored twice', test =>
    withSlowInserts(async () => {
      const scene = await openWith(test, QUESTION_ALONE);
      scene.proxy.onLook = answerNone;
      await expectDoubled(scene, await faceRunningInsert(scene), 20);
    }));
});
