import type { JourneyRow } from './list-query.ts';

type HeldTemplate = {
  readonly id: string;
  readonly name: string;
  /** The numbers of the versions that people in the journey are pinned to, newest first. */
  readonly numbers: readonly number[];
};

/** The templates that a journey sends now, with the versions that its people hold. */
export function heldVersionsOf({ id, nodes }: JourneyRow): HeldTemplate[] {
  const templates = new Map(
    nodes.flatMap(({ template }) => (template === null ? [] : [[template.id, template] as const])),
  );
  return [...templates.values()].map(({ id: templateId, name, approvedVersions }) => ({
    id: templateId,
    name,
    numbers: approvedVersions
      .filter(({ inFlight }) => inFlight.some(({ journey }) => journey?.id === id))
      .map(({ number }) => number)
      .toSorted((a, b) => b - a),
  }));
}
