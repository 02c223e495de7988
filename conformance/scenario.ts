// What a scenario is made of.

import type { RuleId } from './rules.ts';
import type { StoredEvent } from './service.ts';
import type { Stage } from './stage.ts';

/** What a client may have beyond sending events; a scenario that needs it is skipped without it. */
export const CAPABILITIES = [
  'persistence',
  'clock',
  'consent',
  'in-app',
  'push',
  'devices',
] as const;
export type Capability = (typeof CAPABILITIES)[number];

export type Scenario = {
  readonly name: string;
  /** What happens, in one line. */
  readonly summary: string;
  readonly needs?: Capability;
  /** What it checks beyond the rules that hold in every scenario. */
  readonly rules: readonly RuleId[];
  /** The rule that is broken if events of calls do not arrive; `delivered` by default. */
  readonly arrival?: RuleId;
  /** How far the clock of the client is off. */
  readonly clockOffsetMs?: number;
  /** The client gets a key that does not exist. */
  readonly hasUnknownKey?: boolean;
  /** Ends with the client stopped, or running and still to be closed. */
  readonly play: (stage: Stage) => Promise<void>;
  /** Judges what was sent, also if the play ended early. */
  readonly check?: (stage: Stage, stored: readonly StoredEvent[]) => void;
};
