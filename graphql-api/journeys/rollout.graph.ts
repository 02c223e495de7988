// The impact of publishing or forcing a version, and the mutation that forces it.

import type { Context } from '../platform/context.ts';
import { builder } from '../platform/graph/builder.ts';
import { embeddedLists } from '../platform/graph/embedded-list.ts';
import { expose, linked, memberObject } from '../platform/graph/fields.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { changed, mutation } from '../platform/graph/mutation.ts';
import { encodeNodeId } from '../platform/graph/node-id.ts';
import { diffTemplates } from '../templates/diff.ts';
import { TemplateDiffRef } from '../templates/finding.graph.ts';
import type { TemplateVersion } from '../templates/version.entity.ts';
import { TemplateVersionRef, templateVersionById } from '../templates/version.graph.ts';
import { contentOf } from '../templates/version-content.ts';
import { rolloutForceContract } from './journey.contract.ts';
import { JourneyRef, journeyById } from './journey.graph.ts';
import { type JourneyPins, pinsByJourney, pinsByVersions, treeOfVersion } from './pin.reads.ts';
import { templateRolloutForce } from './rollout.force.ts';

const pinsById = loaderById(pinsByVersions);
const journeysById = loaderById(async (context, versionIds) => {
  const pins = await pinsByJourney(context, versionIds);
  const byVersion = Map.groupBy(pins, ({ versionId }) => versionId);
  return Array.from(byVersion, ([id, journeys]) => ({ id, journeys }));
});

/** A version with pinned enrolments, and the journeys they are in. */
type Touched = {
  readonly version: TemplateVersion;
  readonly journeys: readonly JourneyPins[];
  /** The version that would replace it. */
  readonly by: TemplateVersion;
};
type Impact = { readonly touched: readonly Touched[]; readonly checkedAt: Date };

const TouchedJourneyRef = memberObject<JourneyPins>('TouchedJourney', {
  description: 'A journey with enrolments that are pinned to a version.',
  fields: t => ({
    journey: linked(t, 'journeyId', JourneyRef, journeyById, 'The journey.'),
    inFlightCount: t.exposeInt('inFlight', {
      nullable: false,
      description: 'The number of enrolments in the journey that are pinned to the version.',
    }),
  }),
});

const TouchedVersionRef = memberObject<Touched>('TouchedVersion', {
  description: 'A version that enrolments in flight are pinned to.',
  fields: t => ({
    ...expose(t, TemplateVersionRef, { version: 'The version.' }),
    inFlightCount: t.int({
      nullable: false,
      description: 'The number of enrolments in flight that are pinned to the version.',
      resolve: ({ journeys }) => journeys.reduce((sum, { inFlight }) => sum + inFlight, 0),
    }),
    ...embeddedLists(t, TouchedJourneyRef, {
      journeys: 'The journeys that these enrolments belong to.',
    }),
    diff: t.field({
      type: TemplateDiffRef,
      nullable: false,
      description:
        'The differences between this version and the version that would replace it. `isBreaking` shows whether they would break messages.',
      resolve: ({ version, by }) => diffTemplates(contentOf(version), contentOf(by)),
    }),
  }),
});

const RolloutImpactRef = memberObject<Impact>('RolloutImpact', {
  description:
    'The enrolments in flight that are pinned to versions other than the given one. If the given version is activated, these enrolments keep their pins. If the version is forced, they receive it at their next send.',
  fields: t => ({
    versions: t.field({
      type: [TouchedVersionRef],
      nullable: false,
      description:
        'The other versions of the same template, channel and language that enrolments in flight are pinned to.',
      // Their cost is part of the cost of the impact.
      complexity: { field: 1, multiplier: 1 },
      resolve: ({ touched }) => [...touched],
    }),
    inFlightCount: t.int({
      nullable: false,
      description:
        'The sum of `inFlightCount` over all `versions`. An enrolment that is pinned to several of these versions is counted once for each version.',
      resolve: ({ touched }) =>
        touched
          .flatMap(({ journeys }) => journeys)
          .reduce((sum, { inFlight }) => sum + inFlight, 0),
    }),
    ...expose(t, 'DateTime!', { checkedAt: 'When the enrolments were counted.' }),
  }),
});

/** The query reads the pins of all versions of the template, channel and language. */
const IMPACT_COST = 20;

builder.queryField('rolloutImpact', t =>
  t.field({
    type: RolloutImpactRef,
    description:
      'The enrolments in flight that are pinned to versions that the given version would replace; null if the given version does not exist. Query this field before you activate a version or force its rollout.',
    authScopes: { member: true },
    args: { id: t.arg.globalID({ required: true, description: 'The ID of the version.' }) },
    complexity: IMPACT_COST,
    resolve: async (_root, { id }, graph) => {
      if (id.typename !== 'TemplateVersion') return null;
      const version = await templateVersionById(graph, id.id);
      return version && impactOf(graph.context, version);
    },
  }),
);

builder.objectField(TemplateVersionRef, 'releasedToId', t =>
  t.id({
    description:
      'The ID of the version that enrolments pinned to this version receive instead; null unless a forced rollout in all journeys replaced this version.',
    resolve: async ({ id }, _args, graph) => {
      const releasedToId = (await pinsById(graph, id))?.releasedToId ?? null;
      return releasedToId === null ? null : encodeNodeId('TemplateVersion', releasedToId);
    },
  }),
);

builder.objectField(TemplateVersionRef, 'inFlight', t =>
  t.field({
    type: [TouchedJourneyRef],
    nullable: false,
    description:
      'The journeys with enrolments pinned to this version, sorted by the number of these enrolments in descending order.',
    // Few journeys send one template, and each journey is loaded once.
    complexity: { field: 1, multiplier: 1 },
    resolve: async ({ id }, _args, graph) => [...((await journeysById(graph, id))?.journeys ?? [])],
  }),
);

async function impactOf(context: Context, version: TemplateVersion): Promise<Impact> {
  const others = await treeOfVersion(context, version);
  const pins = await pinsByJourney(
    context,
    others.map(({ id }) => id),
  );
  const byVersion = Map.groupBy(pins, ({ versionId }) => versionId);
  const touched = others.flatMap(other => {
    const journeys = byVersion.get(other.id);
    return journeys === undefined ? [] : [{ version: other, journeys, by: version }];
  });
  return { touched, checkedAt: new Date(context.deps.clock.nowMs()) };
}

mutation({
  name: 'templateRolloutForce',
  description:
    'Forces a version in one journey or in all journeys: enrolments in flight receive it at their next send. The snapshots of the enrolments do not change. To find out how many enrolments are affected, query `rolloutImpact`.',
  access: 'owner',
  target: TemplateVersionRef,
  input: t => ({
    journeyId: t.globalID({
      description: 'Limits the rollout to one journey. Defaults to all journeys.',
    }),
  }),
  contract: rolloutForceContract,
  codes: ['NOT_FOUND', 'VERSION_NOT_SENDABLE'],
  action: templateRolloutForce,
  payload: t => ({
    templateVersion: changed(
      t,
      TemplateVersionRef,
      templateVersionById,
      'The version that was rolled out.',
    ),
    releasedVersions: t.int({
      description: 'The number of versions whose pins were released.',
      resolve: ({ result }) => result?.released,
    }),
  }),
});
