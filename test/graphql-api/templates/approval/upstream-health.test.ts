// What a channel reports of a version after its approval: pauses, locks, deletions and their end.

import { expect, test } from 'vitest';
import { approversOf } from '../../../../graphql-api/templates/approval/approvers.ts';
import { TemplateVersion } from '../../../../graphql-api/templates/version.entity.ts';
import { contentOf } from '../../../../graphql-api/templates/version-content.ts';
import { submitted, useApprovalScene } from './approval-scene.ts';
import { approvalSteps } from './approval-steps.ts';

const scene = useApprovalScene();
const { approved, arrived, at, eventsOf, upstreamOf, versionOf } = approvalSteps(scene);
const HOUR_MS = 3_600_000;

test('pauses and similar events change the health but not the state, even in reverse order', async () => {
  const given = await submitted(scene());
  const { control } = scene();
  await scene().submit();
  const atMs = Date.now();
  const say = (event: string, after: number) =>
    control('say', { name: given.name, event, atMs: atMs + after * 1_000 });
  await control('decide', { name: given.name, atMs });
  await arrived(given, 1);
  await say('PAUSED', 10);
  await arrived(given, 2);
  expect(await versionOf(given)).toMatchObject({
    state: 'Active',
    upstream_health: 'PAUSED',
    health_until: new Date(Math.floor((atMs + 10_000) / 1000) * 1000 + 3 * HOUR_MS),
  });
  await control('manner', { isHeld: true });
  await control('say', {
    name: given.name,
    event: 'APPROVED',
    title: 'UNPAUSE',
    atMs: atMs + 20_000,
  });
  await say('PAUSED', 30);
  await control('release', { isReversed: true });
  await control('manner', { isHeld: false });
  await arrived(given, 4);
  expect(await versionOf(given)).toMatchObject({ state: 'Active', upstream_health: 'PAUSED' });
  expect((await eventsOf(given)).at(-1)).toBe('APPROVED IGNORED OLDER');
  await say('REINSTATED', 40);
  await arrived(given, 5);
  expect(await versionOf(given)).toMatchObject({ state: 'Active', upstream_health: 'OK' });
  await say('DISABLED', 50);
  await arrived(given, 6);
  await say('FLAGGED', 45);
  await arrived(given, 7);
  await say('SOMETHING_NEW', 60);
  await arrived(given, 8);
  expect(await versionOf(given)).toMatchObject({ state: 'Active', upstream_health: 'DISABLED' });
  expect((await eventsOf(given)).at(-1)).toBe('SOMETHING_NEW IGNORED UNKNOWN_WORD');
});

test('a pause reported before the approval applies with it', async () => {
  const given = await submitted(scene());
  const { control } = scene();
  await scene().submit();
  await control('manner', { isHeld: true });
  const atMs = Date.now();
  await control('decide', { name: given.name, atMs });
  await control('say', { name: given.name, event: 'PAUSED', atMs: atMs + 5_000 });
  await control('release', { isReversed: true });
  await control('manner', { isHeld: false });
  await arrived(given, 2);
  expect(await versionOf(given)).toMatchObject({ state: 'Active', upstream_health: 'PAUSED' });
});

test('a version that is locked, archived or deleted upstream is not sent until it is restored', async () => {
  const given = await approved();
  const atMs = Date.now();
  const words = [
    ['LOCKED', 'PAUSED'],
    ['REINSTATED', 'OK'],
    ['ARCHIVED', 'DISABLED'],
    ['UNARCHIVED', 'OK'],
    ['PENDING_DELETION', 'DISABLED'],
    ['APPROVED', 'OK'],
    ['DELETED', 'DISABLED'],
  ] as const;
  for (const [index, [event, health]] of words.entries()) {
    await scene().control('say', { name: given.name, event, atMs: atMs + (index + 1) * 1_000 });
    await arrived(given, index + 2);
    const { state, upstream_health } = await versionOf(given);
    expect([event, state, upstream_health]).toEqual([event, 'Active', health]);
  }
});

test('a version missing from the list for long is not sent until it is listed again', async () => {
  const given = await approved();
  const approver = approversOf(scene().deps).get('messaging_app')!;
  const [upstream] = await upstreamOf(given);
  await approver.withdraw(upstream!.name as string, null);
  const now = Date.now();
  // Missing from the list once is not enough: a deletion between two pages can hide another
  // template.
  await at(now + 60_000, () => scene().poll());
  expect(await versionOf(given)).toMatchObject({ upstream_health: 'OK' });
  await at(now + 2 * HOUR_MS, () => scene().poll());
  expect(await versionOf(given)).toMatchObject({ state: 'Active', upstream_health: 'DISABLED' });
  await approver.submit({
    ...contentOf(
      await scene().deps.database.asSystem(em =>
        em.findOneOrFail(TemplateVersion, { id: given.versionId }),
      ),
    ),
    name: upstream!.name as string,
    submissionId: given.submissionId,
    language: 'en',
  });
  await scene().control('decide', { name: given.name, isSilent: true });
  await at(now + 3 * HOUR_MS, () => scene().poll());
  expect(await versionOf(given)).toMatchObject({ state: 'Active', upstream_health: 'OK' });
  expect(await eventsOf(given)).toEqual([
    'APPROVED PROCESSED APPROVED',
    'MISSING PROCESSED HEALTH_DISABLED',
    'APPROVED PROCESSED HEALTH_OK',
  ]);
});

test('the poll finds the unreported end of a pause, and a pause that exceeds its duration', async () => {
  const { control, poll } = scene();
  const now = Date.now();
  const [back, given] = [await approved(), await approved()];
  await poll();
  for (const paused of [back, given]) {
    await control('say', { name: paused.name, event: 'PAUSED' });
    await arrived(paused, 2);
  }
  // The list returns the same status as before the pause.
  await control('say', { name: back.name, event: 'APPROVED', isSilent: true });
  await at(now + 60_000, poll);
  expect(await versionOf(back)).toMatchObject({ state: 'Active', upstream_health: 'OK' });
  expect(await versionOf(given)).toMatchObject({ health_until: expect.any(Date) });
  await at(now + 4 * HOUR_MS, poll);
  expect(await versionOf(given)).toMatchObject({ upstream_health: 'PAUSED', health_until: null });
  await control('say', { name: given.name, event: 'APPROVED', isSilent: true });
  await at(now + 5 * HOUR_MS, poll);
  expect(await versionOf(given)).toMatchObject({ state: 'Active', upstream_health: 'OK' });
  await control('decide', { name: given.name, status: 'REJECTED', isSilent: true });
  await at(now + 6 * HOUR_MS, poll);
  expect(await versionOf(given)).toMatchObject({ state: 'Active', upstream_health: 'DISABLED' });
});
