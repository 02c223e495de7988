// Runs one random step in the service and in the model; both must return the same result.

import { expect } from 'vitest';
import { advanceJourney } from '../../../graphql-api/journeys/advance/advance-journey.ts';
import {
  enrolmentExit,
  enrolmentHoldCurrent,
  enrolmentOverride,
  enrolmentOverrideRemove,
  journeyEnrol,
} from '../../../graphql-api/journeys/enrolment.actions.ts';
import { journeyActivate, journeyPause } from '../../../graphql-api/journeys/journey.actions.ts';
import { templateRolloutForce } from '../../../graphql-api/journeys/rollout.force.ts';
import { templateArchive } from '../../../graphql-api/templates/template.archive.ts';
import { templateVersionCancel } from '../../../graphql-api/templates/version.actions.ts';
import { templateVersionActivate } from '../../../graphql-api/templates/version.activate.ts';
import { templateVersionEdit } from '../../../graphql-api/templates/version.edit.ts';
import { setUpstreamHealth } from '../../../graphql-api/templates/version.set-upstream-health.ts';
import { templateVersionSubmit } from '../../../graphql-api/templates/version.submit.ts';
import type { Random } from '../../harness/random.ts';
import {
  advance,
  approve,
  isNewest,
  isPinning,
  isSendable,
  type Model,
  type ModelJourney,
  type ModelVersion,
  makeActive,
  pinsOf,
  release,
  versionOf,
  WAIT_MS,
} from './model.ts';
import { addJourney, addVersion, decide, type World } from './world.ts';

type Step = (world: World, model: Model, random: Random) => Promise<void>;

export const STEPS: Readonly<Record<string, Step>> = {
  async create(world, model, random) {
    const template = random.below(world.templateIds.length);
    if (model.archived.has(template)) return;
    const needs = random.below(4) === 0 ? 'code' : 'name';
    await addVersion(world, model, template, { needs, isForced: random.below(6) === 0 });
  },

  /** Publishes a version, as far as its approver allows. */
  async publish(world, model, random) {
    const template = random.below(world.templateIds.length);
    if (model.archived.has(template)) return;
    const needs = random.below(4) === 0 ? 'code' : 'name';
    const id = await addVersion(world, model, template, { needs, isForced: random.below(4) === 0 });
    await submit(world, model, versionOf(model, id));
    const { submissionId } = versionOf(model, id);
    await judge(world, model, submissionId!, random.below(6) === 0 ? 'REJECTED' : 'APPROVED');
  },

  /**
   * A newer version is forced and then fails, so people who were moved to it receive the Active
   * one.
   */
  async recall(world, model, random) {
    const version = preferred(model, random, 'Superseded');
    const { code } = await world.act(templateRolloutForce, { id: version.id });
    expect(code).toBe(isSendable(version) ? 'OK' : 'VERSION_NOT_SENDABLE');
    if (code !== 'OK') return;
    release(model, version, null);
    await setHealth(world, version, 'PAUSED');
  },

  async edit(world, model, random) {
    const version = random.pick(model.versions);
    const given = { id: version.id, expectedRevision: 1, note: 'looked at' };
    const { code } = await world.act(templateVersionEdit, given);
    if (version.state !== 'Draft') expect(code).not.toBe('OK');
    else expect(code).toBe(version.isEdited ? 'TEMPLATE_CHANGED' : 'OK');
    version.isEdited ||= code === 'OK';
  },

  async submit(world, model, random) {
    await submit(world, model, preferred(model, random, 'Draft'));
  },

  async cancel(world, model, random) {
    const version = preferred(model, random, 'Submitted');
    const { code } = await world.act(templateVersionCancel, { id: version.id });
    expect(code === 'OK').toBe(version.state === 'Submitted');
    if (code !== 'OK') return;
    version.state = 'Draft';
    model.submissions.find(({ id }) => id === version.submissionId)!.state = 'CANCELED';
  },

  async verdict(world, model, random) {
    const pending = model.submissions.filter(({ state }) => state === 'PENDING');
    const from = pending.length > 0 && random.below(4) > 0 ? pending : model.submissions;
    const submission = random.pick(from);
    const verdict = random.below(3) === 0 ? 'REJECTED' : 'APPROVED';
    await judge(world, model, submission.id, verdict);
  },

  async activate(world, model, random) {
    const version = preferred(model, random, 'Superseded');
    const { code } = await world.act(templateVersionActivate, { id: version.id });
    expect(code === 'OK').toBe(['Approved', 'Superseded', 'Active'].includes(version.state));
    if (code !== 'OK' || version.state === 'Active') return;
    makeActive(model, version, !isNewest(model, version));
  },

  async health(world, model, random) {
    const health = random.pick(['OK', 'PAUSED', 'DISABLED'] as const);
    await setHealth(world, random.pick(model.versions), health);
  },

  async pin(world, model, random) {
    if (model.enrolments.length === 0) return;
    const inFlight = model.enrolments.filter(({ end }) => end === undefined);
    const from = inFlight.length > 0 && random.below(5) > 0 ? inFlight : model.enrolments;
    const enrolment = random.pick(from);
    const nodeId = random.pick(['s1', 's2', 's3', 's4']);
    const input = { id: enrolment.id, nodeId };
    const isOver = enrolment.end !== undefined;
    const kind = random.below(3);
    if (kind === 0) {
      const { code } = await world.act(enrolmentHoldCurrent, { ...input, reason: null });
      expect(code).toBe(isOver ? 'ENROLMENT_ENDED' : 'OK');
      if (!isOver) enrolment.overrides.set(nodeId, enrolment.pins.get(nodeId)!);
    } else if (kind === 1) {
      const { code } = await world.act(enrolmentOverrideRemove, input);
      const is = enrolment.overrides.has(nodeId) ? 'OK' : 'NOT_FOUND';
      expect(code).toBe(isOver ? 'ENROLMENT_ENDED' : is);
      if (code === 'OK') enrolment.overrides.delete(nodeId);
    } else {
      const version = random.pick(model.versions);
      const { code } = await world.act(enrolmentOverride, {
        ...input,
        versionId: version.id,
        reason: null,
      });
      const isOfNode = version.template === (nodeId === 's1' || nodeId === 's3' ? 0 : 1);
      const is = isOfNode && isSendable(version);
      if (isOver) expect(code).toBe('ENROLMENT_ENDED');
      else expect(code === 'OK').toBe(is);
      if (code === 'OK') enrolment.overrides.set(nodeId, version.id);
    }
  },

  async force(world, model, random) {
    const version = preferred(model, random, random.pick(['Active', 'Superseded']));
    const journeyId = random.below(3) === 0 ? random.pick(model.journeys).id : null;
    const { code } = await world.act(templateRolloutForce, { id: version.id, journeyId });
    expect(code).toBe(isSendable(version) ? 'OK' : 'VERSION_NOT_SENDABLE');
    if (code !== 'OK') return;
    release(model, version, journeyId);
    if (random.below(3) === 0) await setHealth(world, version, 'PAUSED');
  },

  async enrol(world, model, random) {
    await enrol(world, model, random.pick(model.journeys), random.below(world.userIds.length));
  },

  async send(world, model, random) {
    model.nowMs += random.below(4) === 0 ? 0 : WAIT_MS;
    // Sometimes two processes at once, of which only one advances each person.
    const processes = random.below(3) === 0 ? 2 : 1;
    for (const journey of model.journeys) {
      await Promise.all(
        Array.from({ length: processes }, () => advanceJourney(world.deps, journey.id)),
      );
      advance(model, journey);
    }
  },

  async leave(world, model, random) {
    if (model.enrolments.length === 0) return;
    const enrolment = random.pick(model.enrolments);
    expect((await world.act(enrolmentExit, { id: enrolment.id })).code).toBe('OK');
    enrolment.end ??= 'EXITED';
  },

  async delete(world, model, random) {
    const template = random.below(world.templateIds.length);
    const pinning = model.enrolments.filter(each => isPinning(model, each, template));
    const outcome = await world.act(templateArchive, { id: world.templateIds[template]! });
    expect(outcome.code).toBe(pinning.length > 0 ? 'TEMPLATE_PINNED' : 'OK');
    if (outcome.code === 'OK') {
      archive(model, template);
      return;
    }
    const people = Map.groupBy(pinning, ({ journeyId }) => journeyId);
    const { journeys } = (outcome as { facts: { journeys: { id: string; in_flight: number }[] } })
      .facts;
    expect(new Map(journeys.map(each => [each.id, each.in_flight]))).toEqual(
      new Map([...people].map(([id, each]) => [id, each.length])),
    );
  },

  async pause(world, model, random) {
    const journey = random.pick(model.journeys);
    const { id, version } = journey;
    if (journey.status === 'ACTIVE') {
      expect((await world.act(journeyPause, { id })).code).toBe('OK');
      journey.status = 'PAUSED';
    } else {
      const isWhole = pinsOf(model, journey.nodes) !== undefined;
      const { code } = await world.act(journeyActivate, { id, version });
      expect(code).toBe(isWhole ? 'OK' : 'JOURNEY_INCOMPLETE');
      if (!isWhole) return;
      journey.status = 'ACTIVE';
    }
    journey.version += 1;
  },

  /** Adds a journey whose first node names a version that still waits for its verdict. */
  async name(world, model, random) {
    const isWhole = model.archived.size === 0 && model.journeys.length < 3;
    if (!isWhole) return;
    const id = await addVersion(world, model, 0, { needs: 'name', isForced: false });
    await submit(world, model, versionOf(model, id));
    await addJourney(world, model, id);
    await enrol(world, model, model.journeys.at(-1)!, random.below(world.userIds.length));
    if (random.below(2) === 0) return;
    await judge(world, model, versionOf(model, id).submissionId!, 'REJECTED');
  },
};

async function submit(world: World, model: Model, version: ModelVersion): Promise<void> {
  const { code, result } = await world.act(templateVersionSubmit, { id: version.id });
  expect(code === 'OK').toBe(version.state === 'Draft');
  if (result === undefined) return;
  version.state = 'Submitted';
  version.submissionId = result.submissionId;
  model.submissions.push({ id: result.submissionId, versionId: version.id, state: 'PENDING' });
}

async function judge(
  world: World,
  model: Model,
  submissionId: string,
  verdict: 'APPROVED' | 'REJECTED',
): Promise<void> {
  const submission = model.submissions.find(({ id }) => id === submissionId)!;
  const { outcome } = await decide(world, submissionId, verdict);
  expect(outcome).toBe(submission.state === 'PENDING' ? 'APPLIED' : 'IGNORED');
  if (outcome === 'IGNORED') return;
  submission.state = verdict;
  const version = versionOf(model, submission.versionId);
  if (verdict === 'APPROVED') approve(model, version);
  else version.state = 'Rejected';
}

async function enrol(
  world: World,
  model: Model,
  journey: ModelJourney,
  person: number,
): Promise<void> {
  const userIds = [world.userIds[person]!];
  const { code, result } = await world.act(journeyEnrol, { id: journey.id, userIds });
  const pins = pinsOf(model, journey.nodes);
  if (journey.status !== 'ACTIVE') expect(code).toBe('JOURNEY_STATUS');
  else expect(code).toBe(pins === undefined ? 'JOURNEY_INCOMPLETE' : 'OK');
  if (result === undefined || pins === undefined) return;
  const isInside = model.enrolments.some(
    each => each.journeyId === journey.id && each.person === person && each.end === undefined,
  );
  expect(result.enrolmentIds).toHaveLength(isInside ? 0 : 1);
  for (const id of result.enrolmentIds)
    model.enrolments.push({
      id,
      journeyId: journey.id,
      person,
      enteredAtMs: model.nowMs,
      pins,
      overrides: new Map(),
      at: 0,
      isWaiting: false,
      nextAtMs: model.nowMs,
      end: undefined,
    });
}

async function setHealth(
  { deps }: World,
  version: ModelVersion,
  health: ModelVersion['health'],
): Promise<void> {
  await deps.database.asSystem(em =>
    setUpstreamHealth(
      { em, deps, actorId: 'channel', audit: () => Promise.resolve() },
      { versionId: version.id, health },
    ),
  );
  if (['Approved', 'Active', 'Superseded'].includes(version.state)) version.health = health;
}

function archive(model: Model, template: number): void {
  model.archived.add(template);
  for (const version of model.versions) {
    if (version.template !== template) continue;
    version.state = 'Archived';
    version.isPinnedByOperator = false;
  }
  for (const submission of model.submissions) {
    const isOfIt = versionOf(model, submission.versionId).template === template;
    if (isOfIt && submission.state === 'PENDING') submission.state = 'CANCELED';
  }
}

/**
 * Usually returns a version in this state, so that sequences make progress; sometimes any other.
 */
function preferred(model: Model, random: Random, state: string) {
  const those = model.versions.filter(version => version.state === state);
  return random.pick(those.length > 0 && random.below(5) > 0 ? those : model.versions);
}
