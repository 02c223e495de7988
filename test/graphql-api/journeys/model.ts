// A model of templates and journeys in plain data. It implements the state table, the order of
// resolution and "a snapshot never changes" a second time, without a database.

export type ModelVersion = {
  readonly id: string;
  readonly template: number;
  readonly number: number;
  /** The only variable in the text of the version. */
  readonly needs: 'name' | 'code';
  isForced: boolean;
  state: string;
  isEdited: boolean;
  health: 'OK' | 'PAUSED' | 'DISABLED';
  submissionId: string | undefined;
  approvedAtMs: number;
  activatedAtMs: number;
  isPinnedByOperator: boolean;
};

export type Submission = {
  readonly id: string;
  readonly versionId: string;
  state: 'PENDING' | 'APPROVED' | 'REJECTED' | 'CANCELED';
};

export type ModelNode = {
  readonly id: string;
  readonly kind: 'send' | 'wait' | 'end';
  readonly template: number;
  readonly versionId?: string;
};

export type ModelJourney = {
  readonly id: string;
  readonly nodes: readonly ModelNode[];
  status: 'ACTIVE' | 'PAUSED';
  version: number;
};

export type ModelEnrolment = {
  readonly id: string;
  readonly journeyId: string;
  readonly person: number;
  readonly enteredAtMs: number;
  readonly pins: ReadonlyMap<string, string>;
  readonly overrides: Map<string, string>;
  at: number;
  isWaiting: boolean;
  nextAtMs: number;
  end: 'COMPLETED' | 'EXITED' | undefined;
};

export type ModelRelease = {
  readonly versionId: string;
  readonly journeyId: string | null;
  readonly toVersionId: string;
  readonly atMs: number;
};

export type ModelSend = {
  readonly enrolmentId: string;
  readonly nodeId: string;
  readonly versionId: string;
  readonly reason: string;
};

export type Model = {
  nowMs: number;
  readonly versions: ModelVersion[];
  readonly submissions: Submission[];
  readonly journeys: ModelJourney[];
  readonly enrolments: ModelEnrolment[];
  releases: ModelRelease[];
  readonly sends: ModelSend[];
  readonly archived: Set<number>;
};

/** The person without the trait `code`; everybody has a name. */
export const WITHOUT_CODE = 2;
export const WAIT_MS = 60_000;
const HOLD_MS = 5 * 60_000;
const APPROVED_STATES = ['Approved', 'Active', 'Superseded'];

export function emptyModel(nowMs: number): Model {
  return {
    nowMs,
    versions: [],
    submissions: [],
    journeys: [],
    enrolments: [],
    releases: [],
    sends: [],
    archived: new Set(),
  };
}

export function versionOf(model: Model, id: string): ModelVersion {
  return model.versions.find(version => version.id === id)!;
}

export function activeOf(model: Model, template: number): ModelVersion | undefined {
  return model.versions.find(each => each.template === template && each.state === 'Active');
}

export function isSendable({ state, health }: ModelVersion): boolean {
  return APPROVED_STATES.includes(state) && health === 'OK';
}

export function makeActive(model: Model, version: ModelVersion, isPinnedByOperator: boolean): void {
  const earlier = activeOf(model, version.template);
  if (earlier !== undefined) {
    earlier.state = 'Superseded';
    earlier.isPinnedByOperator = false;
  }
  version.state = 'Active';
  version.activatedAtMs = model.nowMs;
  version.isPinnedByOperator = isPinnedByOperator;
}

export function approve(model: Model, version: ModelVersion): void {
  version.state = 'Approved';
  version.approvedAtMs = model.nowMs;
  if (activeOf(model, version.template)?.isPinnedByOperator !== true)
    makeActive(model, version, false);
  if (version.isForced) release(model, version, null);
}

export function isNewest(model: Model, version: ModelVersion): boolean {
  return model.versions.every(
    other =>
      other.template !== version.template ||
      !APPROVED_STATES.includes(other.state) ||
      other.approvedAtMs <= version.approvedAtMs,
  );
}

export function release(model: Model, to: ModelVersion, journeyId: string | null): void {
  const isPinned = (id: string) =>
    model.enrolments.some(({ end, pins }) => end === undefined && [...pins.values()].includes(id));
  const tree = model.versions.filter(
    ({ id, template, state }) => template === to.template && (state !== 'Draft' || isPinned(id)),
  );
  const ids = new Set(tree.map(({ id }) => id));
  const wasReleased = model.releases.some(({ versionId }) => versionId === to.id);
  const released = tree.filter(({ id }) => id !== to.id || (journeyId !== null && wasReleased));
  const isReplaced = (old: ModelRelease) =>
    (ids.has(old.versionId) &&
      journeyId === null &&
      (old.journeyId !== null || old.versionId === to.id)) ||
    (old.journeyId === journeyId && released.some(({ id }) => id === old.versionId));
  model.releases = [
    ...model.releases.filter(old => !isReplaced(old)),
    ...released.map(({ id }) => ({
      versionId: id,
      journeyId,
      toVersionId: to.id,
      atMs: model.nowMs,
    })),
  ];
}

/** Returns undefined if a send node has no version to pin. */
export function pinsOf(model: Model, nodes: readonly ModelNode[]): Map<string, string> | undefined {
  const pins = new Map<string, string>();
  for (const node of nodes.filter(({ kind }) => kind === 'send')) {
    const named = model.versions.find(({ id }) => id === node.versionId);
    const isNamed = named && ['Submitted', ...APPROVED_STATES].includes(named.state);
    const pinned = isNamed ? named : activeOf(model, node.template);
    if (pinned === undefined) return undefined;
    pins.set(node.id, pinned.id);
  }
  return pins;
}

export function isPinning(model: Model, enrolment: ModelEnrolment, template: number): boolean {
  if (enrolment.end !== undefined) return false;
  const ids = [...enrolment.pins.values(), ...enrolment.overrides.values()];
  return ids.some(id => versionOf(model, id).template === template);
}

/** Advances all due people as far as possible. */
export function advance(model: Model, journey: ModelJourney): void {
  if (journey.status !== 'ACTIVE') return;
  for (const person of model.enrolments)
    if (
      person.journeyId === journey.id &&
      person.end === undefined &&
      person.nextAtMs <= model.nowMs
    )
      advancePerson(model, journey, person);
}

function advancePerson(model: Model, { nodes }: ModelJourney, person: ModelEnrolment): void {
  if (person.isWaiting) person.at += 1;
  person.isWaiting = false;
  for (;;) {
    const node = nodes[person.at]!;
    if (node.kind === 'end') {
      person.end = 'COMPLETED';
      return;
    }
    if (node.kind === 'wait') {
      person.isWaiting = true;
      person.nextAtMs = model.nowMs + WAIT_MS;
      return;
    }
    if (send(model, person, node) === 'held') {
      person.nextAtMs = model.nowMs + HOLD_MS;
      return;
    }
    person.at += 1;
  }
}

function send(model: Model, person: ModelEnrolment, node: ModelNode): 'held' | 'done' {
  const found = resolve(model, person, node);
  if (found === undefined) return 'held';
  const version = versionOf(model, found.versionId);
  const fills = ({ needs }: ModelVersion) => needs === 'name' || person.person !== WITHOUT_CODE;
  const note = (sent: { versionId: string; reason: string }) =>
    model.sends.push({ enrolmentId: person.id, nodeId: node.id, ...sent });
  if (fills(version)) {
    note(found);
    return 'done';
  }
  const active = activeOf(model, node.template);
  if (found.reason !== 'pin' || active === undefined || !isSendable(active) || !fills(active))
    return 'done';
  if (!person.overrides.has(node.id)) person.overrides.set(node.id, active.id);
  note({ versionId: active.id, reason: 'override' });
  return 'done';
}

function resolve(
  model: Model,
  person: ModelEnrolment,
  node: ModelNode,
): { versionId: string; reason: string } | undefined {
  const tree = model.versions.filter(({ template }) => template === node.template);
  const sendable = tree.filter(isSendable);
  const has = (id: string | undefined) => sendable.some(version => version.id === id);
  const overriding = person.overrides.get(node.id);
  if (overriding !== undefined && has(overriding))
    return { versionId: overriding, reason: 'override' };
  const pinned = versionOf(model, person.pins.get(node.id)!);
  const released = releaseOf(model, person, pinned.id);
  if (released === undefined && has(pinned.id)) return { versionId: pinned.id, reason: 'pin' };
  if (released !== undefined && has(released.toVersionId))
    return { versionId: released.toVersionId, reason: 'forced' };
  const active = activeOf(model, node.template);
  const [lastActive] = sendable.toSorted(
    (a, b) =>
      Number(b === active) - Number(a === active) ||
      b.activatedAtMs - a.activatedAtMs ||
      b.number - a.number,
  );
  const [earlier] = sendable
    .filter(({ number }) => number < pinned.number)
    .toSorted((a, b) => b.number - a.number);
  const isUnsendable = released === undefined && pinned.state !== 'Rejected';
  const fallback =
    isUnsendable && APPROVED_STATES.includes(pinned.state) ? (earlier ?? lastActive) : lastActive;
  if (fallback === undefined) return undefined;
  return { versionId: fallback.id, reason: reasonOf() };

  function reasonOf(): string {
    if (released === undefined) return isUnsendable ? 'pin_unsendable' : 'fallback_rejected';
    return active !== undefined && !isSendable(active) ? 'pin_unsendable' : 'released_pin';
  }
}

function releaseOf(
  model: Model,
  { journeyId, enteredAtMs }: ModelEnrolment,
  versionId: string,
): ModelRelease | undefined {
  const found = model.releases.filter(
    each =>
      each.versionId === versionId &&
      each.atMs >= enteredAtMs &&
      (each.journeyId === null || each.journeyId === journeyId),
  );
  return found.find(each => each.journeyId !== null) ?? found[0];
}
