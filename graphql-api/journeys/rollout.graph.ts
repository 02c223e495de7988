// What publishing or forcing a version would touch, and forcing it.

import type { Context } from '../platform/context.ts';
import { builder } from '../platform/graph/builder.ts';
import { loaderById } from '../platform/graph/loader.ts';
import { mutation } from '../platform/graph/mutation.ts';
import { encodeNodeId } from '../platform/graph/node-id.ts';
import { diffTemplates } from '../templates/diff.ts';
import { TemplateDiffRef } from '../templates/finding.graph.ts';
import type { TemplateVersion } from '../templates/version.entity.ts';
import { TemplateVersionRef, templateVersionById } from '../templates/version.graph.ts';
import { contentOf } from '../templates/version-content.ts';
import { rolloutForceContract } from './journey.contract.ts';
import { JourneyRef, journeyById } from './journey.graph.ts';
import { type JourneyPins, pinsByJourney, pinsByVersions } from './pin.reads.ts';
import { templateRolloutForce } from './rollout.force.ts';
import { treeOfVersion } from './rollout.reads.ts';

const pinsById = loaderById(pinsByVersions);
const journeysById = loaderById(journeysByVersions);

/** A version that people are on, and where they are. */
type Touched = {
  readonly version: TemplateVersion;
  readonly journeys: readonly JourneyPins[];
  /** Which would take its place. */
  readonly by: TemplateVersion;
};
type Impact = { readonly touched: readonly Touched[]; readonly checkedAt: Date };

const TouchedJourneyRef = builder.objectRef<JourneyPins>('TouchedJourney').implement({
  description: 'A journey with people who are pinned to a version.',
  authScopes: { member: true },
  fields: t => ({
    journey: t.field({
      type: JourneyRef,
      description: 'The journey.',
      resolve: ({ journeyId }, _args, graph) => journeyById(graph, journeyId),
    }),
    inFlightCount: t.exposeInt('inFlight', {
      nullable: false,
      description: 'How many people in it are pinned to the version.',
    }),
  }),
});

const TouchedVersionRef = builder.objectRef<Touched>('TouchedVersion').implement({
  description: 'A version that people in flight are pinned to.',
  authScopes: { member: true },
  fields: t => ({
    version: t.field({
      type: TemplateVersionRef,
      nullable: false,
      description: 'The version.',
      resolve: ({ version }) => version,
    }),
    inFlightCount: t.int({
      nullable: false,
      description: 'How many are pinned to it.',
      resolve: ({ journeys }) => journeys.reduce((sum, { inFlight }) => sum + inFlight, 0),
    }),
    journeys: t.field({
      type: [TouchedJourneyRef],
      nullable: false,
      description: 'Where they are.',
      complexity: { field: 1, multiplier: 1 },
      resolve: ({ journeys }) => [...journeys],
    }),
    diff: t.field({
      type: TemplateDiffRef,
      nullable: false,
      description: 'What would be other for them, and whether they lack a value for it.',
      resolve: ({ version, by }) => diffTemplates(contentOf(version), contentOf(by)),
    }),
  }),
});

const RolloutImpactRef = builder.objectRef<Impact>('RolloutImpact').implement({
  description:
    'Who is in flight on which version. Publishing leaves them there; forcing moves them at their next send.',
  authScopes: { member: true },
  fields: t => ({
    versions: t.field({
      type: [TouchedVersionRef],
      nullable: false,
      description: 'The other versions of the same template, channel and language with people on.',
      // What they cost is counted at the impact.
      complexity: { field: 1, multiplier: 1 },
      resolve: ({ touched }) => [...touched],
    }),
    inFlightCount: t.int({
      nullable: false,
      description: 'How many people that are in all, each counted per version.',
      resolve: ({ touched }) =>
        touched
          .flatMap(({ journeys }) => journeys)
          .reduce((sum, { inFlight }) => sum + inFlight, 0),
    }),
    checkedAt: t.expose('checkedAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When they were counted.',
    }),
  }),
});

/** It reads the pins of a whole tree. */
const IMPACT_COST = 20;

builder.queryField('rolloutImpact', t =>
  t.field({
    type: RolloutImpactRef,
    description:
      'Who is in flight on the versions that this one would replace, to be asked before publishing or forcing; null where there is no such version.',
    authScopes: { member: true },
    args: { id: t.arg.globalID({ required: true, description: 'The version.' }) },
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
    description: 'The version that was forced on all who were pinned to this one until then.',
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
    description: 'Where the people are who are pinned to it, most of them first.',
    // A template is sent by few journeys, and each of them is loaded once.
    complexity: { field: 1, multiplier: 1 },
    resolve: async ({ id }, _args, graph) => [...((await journeysById(graph, id))?.journeys ?? [])],
  }),
);

type JourneysOfVersion = { readonly id: string; readonly journeys: readonly JourneyPins[] };

async function journeysByVersions(
  context: Context,
  ids: readonly string[],
): Promise<readonly JourneysOfVersion[]> {
  const pins = Map.groupBy(await pinsByJourney(context, ids), ({ versionId }) => versionId);
  return [...pins].map(([id, journeys]) => ({ id, journeys }));
}

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
    'Everybody in flight gets this version at their next send, in all journeys or one. Snapshots stay as they are; `rolloutImpact` says who is touched.',
  access: 'owner',
  target: TemplateVersionRef,
  input: t => ({
    journeyId: t.globalID({ description: 'Only in this journey; in all of them unless said.' }),
  }),
  contract: rolloutForceContract,
  codes: ['NOT_FOUND', 'VERSION_NOT_SENDABLE'],
  action: templateRolloutForce,
  payload: t => ({
    templateVersion: t.field({
      type: TemplateVersionRef,
      description: 'The version that is forced.',
      resolve: ({ result }, _args, graph) => result && templateVersionById(graph, result.id),
    }),
    releasedVersions: t.int({
      description: 'How many versions’ pins no longer hold.',
      resolve: ({ result }) => result?.released,
    }),
  }),
});
