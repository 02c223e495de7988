import { describe, expect, test } from 'vitest';
import { readDeadLetters } from '../../../../graphql-api/platform/jobs/dead-letters.ts';
import { eventually } from '../../../harness/eventually.ts';
import { createDeps } from '../../harness/deps.ts';
import { type JobsScene, jobsScene } from './jobs-process.ts';

/** The job of a dead process is released when its heartbeat is missing, after about 30 s. */

/** Waits for a later job of the same process. Earlier jobs that it could run have run by then. */
async function untilWorked(scene: JobsScene, name: string): Promise<void> {
  await eventually(async () => {
    expect(await scene.seen()).toContainEqual(expect.objectContaining({ what: `${name} ends` }));
  });
}

async function nights(scene: JobsScene): Promise<string[]> {
  return (await scene.seen()).filter(({ job }) => job === 'nightly').map(({ what }) => what);
}

async function planned(scene: JobsScene, count: number): Promise<void> {
  await eventually(async () => {
    const rows = await scene.query(`SELECT due_at FROM job_runs WHERE job = 'nightly'`);
    expect(rows).toHaveLength(count);
  });
}

describe.concurrent('scheduled work', () => {
  test('runs when it is due, but not for times before the job existed', async () => {
    const scene = await jobsScene();
    const running = await scene.startProcess('2026-05-01T12:00:00.000Z');
    await planned(scene, 1);
    running.setClock('2026-05-02T02:59:59.999Z');
    await running.ask('slow', 'before');
    await scene.release('before');
    await untilWorked(scene, 'before');
    expect(await nights(scene)).toEqual([]);
    running.setClock('2026-05-02T03:00:00.000Z');
    await eventually(async () => expect(await nights(scene)).toEqual(['2026-05-02T03:00:00.000Z']));
  });

  test('that became due while no process was running runs once at the start', async () => {
    const scene = await jobsScene();
    const first = await scene.startProcess('2026-05-01T12:00:00.000Z');
    await planned(scene, 1);
    await first.stop();
    const second = await scene.startProcess('2026-05-09T01:00:00.000Z');
    await eventually(async () => expect(await nights(scene)).toEqual(['2026-05-08T03:00:00.000Z']));
    await second.stop();
    const third = await scene.startProcess('2026-05-09T02:00:00.000Z');
    await scene.release('later');
    await third.ask('slow', 'later');
    await untilWorked(scene, 'later');
    expect(await nights(scene)).toEqual(['2026-05-08T03:00:00.000Z']);
  });

  test('runs once, regardless of the number of processes', async () => {
    const scene = await jobsScene();
    const processes = await Promise.all(
      Array.from({ length: 3 }, () => scene.startProcess('2026-05-01T12:00:00.000Z')),
    );
    await planned(scene, 1);
    const days = ['02', '03', '04', '05'];
    for (const [index, day] of days.entries()) {
      for (const running of processes) running.setClock(`2026-05-${day}T03:00:00.000Z`);
      await eventually(async () => expect(await nights(scene)).toHaveLength(index + 1));
    }
    await scene.release('later');
    await processes[0]!.ask('slow', 'later');
    await untilWorked(scene, 'later');
    expect(await nights(scene)).toEqual(days.map(day => `2026-05-${day}T03:00:00.000Z`));
  });
});

describe.concurrent('a job that an action requests', () => {
  test('runs after the action is committed', async () => {
    const scene = await jobsScene();
    const running = await scene.startProcess('2026-05-01T12:00:00.000Z');
    await scene.release('asked');
    await running.ask('slow', 'asked');
    await untilWorked(scene, 'asked');
    expect(await scene.query('SELECT * FROM job_requests')).toEqual([]);
  });

  test('does not run when the action fails', async () => {
    const scene = await jobsScene();
    const running = await scene.startProcess('2026-05-01T12:00:00.000Z');
    await scene.release('undone');
    await scene.release('done');
    await running.ask('slow', 'undone', { fails: true });
    await running.ask('slow', 'done');
    await untilWorked(scene, 'done');
    expect(await scene.seen()).toMatchObject([{ what: 'done begins' }, { what: 'done ends' }]);
  });

  test('has one run at a time in all processes', async () => {
    const scene = await jobsScene();
    const [one, other] = await Promise.all([
      scene.startProcess('2026-05-01T12:00:00.000Z'),
      scene.startProcess('2026-05-01T12:00:00.000Z'),
    ]);
    await one.ask('slow', 'first');
    await eventually(async () => expect(await scene.seen()).toHaveLength(1));
    await other.ask('slow', 'second');
    // Meanwhile both processes work through another queue several times.
    for (const name of ['a', 'b', 'c']) await other.ask('failing', name);
    await eventually(async () => {
      const failed = (await scene.seen()).filter(({ job }) => job === 'failing');
      expect(failed).toHaveLength(9);
    });
    const slow = async () => (await scene.seen()).filter(({ job }) => job === 'slow');
    expect(await slow()).toMatchObject([{ what: 'first begins' }]);
    await scene.release('first');
    await scene.release('second');
    await untilWorked(scene, 'second');
    expect((await slow()).map(({ what }) => what)).toEqual([
      'first begins',
      'first ends',
      'second begins',
      'second ends',
    ]);
  });

  test('is retried after a kill -9 during its run', async () => {
    const scene = await jobsScene();
    const killed = await scene.startProcess('2026-05-01T12:00:00.000Z');
    await killed.ask('slow', 'work');
    await eventually(async () => expect(await scene.seen()).toHaveLength(1));
    await killed.kill9();
    const successor = await scene.startProcess('2026-05-01T12:00:00.000Z');
    await scene.release('work');
    await eventually(async () => {
      expect(await scene.seen()).toEqual([
        { pid: killed.pid, job: 'slow', what: 'work begins' },
        { pid: successor.pid, job: 'slow', what: 'work begins' },
        { pid: successor.pid, job: 'slow', what: 'work ends' },
      ]);
    });
  });

  test('is aborted by a stop if it runs too long, and immediately retried in another process', async () => {
    const scene = await jobsScene();
    const stopped = await scene.startProcess('2026-05-01T12:00:00.000Z');
    const successor = await scene.startProcess('2026-05-01T12:00:00.000Z');
    await stopped.ask('slow', 'work');
    await eventually(async () => expect(await scene.seen()).toHaveLength(1));
    const pid = (await scene.seen())[0]?.pid;
    const [running, other] = pid === stopped.pid ? [stopped, successor] : [successor, stopped];
    await running.stop();
    await scene.release('work');
    await eventually(async () => {
      expect(await scene.seen()).toEqual([
        { pid: running.pid, job: 'slow', what: 'work begins' },
        { pid: other.pid, job: 'slow', what: 'work begins' },
        { pid: other.pid, job: 'slow', what: 'work ends' },
      ]);
    });
  });

  test('becomes a dead letter after its last retry', async () => {
    const scene = await jobsScene();
    const running = await scene.startProcess('2026-05-01T12:00:00.000Z');
    await running.ask('failing', 'the impossible');
    const deps = await createDeps({ DATABASE_SYSTEM_URL: scene.systemUrl });
    try {
      const letter = await eventually(async () => {
        const letters = await deps.database.asSystem(em => readDeadLetters(em, 10));
        expect(letters).toHaveLength(1);
        return letters[0]!;
      });
      expect(letter).toEqual({
        id: expect.any(String),
        job: 'failing',
        data: { name: 'the impossible' },
        error: "the impossible can't be done",
        attempts: 3,
        askedAt: expect.any(Date),
        diedAt: expect.any(Date),
      });
      expect(await scene.seen()).toHaveLength(3);
    } finally {
      await deps.database.close();
    }
  });
});
