// The definition of a scenario.

import type { RuleId } from './rules.ts';
import type { StoredEvent } from './service.ts';
import type { Stage } from './stage.ts';

/** The optional features of a client. Scenarios for a missing feature are skipped. */
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
  /** A description in one line. */
  readonly summary: string;
  readonly needs?: Capability;
  /** The rules that it checks in addition to those of every scenario. */
  readonly rules: readonly RuleId[];
  /** The rule that fails if events of calls do not arrive; `delivered` by default. */
  readonly arrival?: RuleId;
  /** The offset of the client's clock. */
  readonly clockOffsetMs?: number;
  /** Whether the client gets a key that does not exist. */
  readonly hasUnknownKey?: boolean;
  /** Runs the scenario. The client may still be running at the end; it is then closed. */
  readonly play: (stage: Stage) => Promise<void>;
  /** Checks the requests, also if the scenario ended early. */
  readonly check?: (stage: Stage, stored: readonly StoredEvent[]) => void;
};
