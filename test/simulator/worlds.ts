import type { LogSimulationOptions } from './simulate-log.ts';
import type { SimulationOptions } from './world.ts';

const SLOW = { slowestInsertMs: 8_000 };

/** During a slow insert other segments wait, so neighboring segments are inserted as a group. */
export const WAITING_WORLDS: Readonly<Record<string, SimulationOptions>> = {
  'waiting segments': SLOW,
  'waiting segments on a failing disk': { ...SLOW, hasDiskFaults: true },
  'waiting segments with refused rows': { ...SLOW, hasPoison: true, hasDiskFaults: true },
  'waiting segments after the deduplication window': { ...SLOW, forgetsTokens: true },
  'waiting segments and tokens without their rows': { ...SLOW, logsTokensEarly: true },
  'waiting segments and lost parts': { ...SLOW, restarts: 'without its last parts' },
  'waiting segments, lost parts and rejected rows': {
    ...SLOW,
    restarts: 'without its last parts',
    hasPoison: true,
  },
};

/** The combinations of faults, by name. The invariants must hold in each of them. */
export const WORLDS: Readonly<Record<string, SimulationOptions>> = {
  'power losses and a failing warehouse': {},
  'a disk that fails': { hasDiskFaults: true },
  'a disk that fills up until there is room again': { fillsUp: true },
  'rows that the warehouse rejects': { hasPoison: true },
  'refused rows on a failing disk': { hasPoison: true, hasDiskFaults: true },
  'retries after the deduplication window': { forgetsTokens: true },
  'the same on a failing disk': { forgetsTokens: true, hasDiskFaults: true },
  'tokens that are logged without their rows': { logsTokensEarly: true, hasDiskFaults: true },
  'restarts of the warehouse': { restarts: 'whole', hasDiskFaults: true },
  'restarts that lose unsynced data': { restarts: 'without its last parts' },
  'databases that are unavailable for hours': { outages: true },
  'hours without databases, restarts and a failing disk': {
    outages: true,
    restarts: 'without its last parts',
    hasDiskFaults: true,
  },
  'lost parts and refused rows': { restarts: 'without its last parts', hasPoison: true },
  ...WAITING_WORLDS,
};

/** Lives with a replicated log. */
export const LOG_WORLDS: Readonly<Record<string, LogSimulationOptions>> = {
  'a log with failing brokers': {},
  'a log whose partitions move in the middle of an insert': { rebalances: true, ...SLOW },
  'a log whose offsets are set back': { rewinds: true, rebalances: true },
  'a log with rows that the warehouse rejects': { hasPoison: true, rebalances: true },
  'a log with retries after the deduplication window': { forgetsTokens: true, rebalances: true },
  'a log with tokens without their rows': { logsTokensEarly: true, rebalances: true },
  'a log with restarts that lose unsynced data': {
    restarts: 'without its last parts',
    rebalances: true,
  },
};

/** A short life in which each call to the disk fails in turn. */
export const SHORT_LIFE: SimulationOptions = { roundsMax: 2, stepsMax: 16, ...SLOW };

/** Each of these lacks one protection, so some life must violate an invariant. */
export const WORLDS_WITHOUT: Readonly<Record<string, SimulationOptions>> = {
  'the sync of the file': { disk: { datasync: false, syncDirectory: true } },
  'the sync of the directory': { disk: { datasync: true, syncDirectory: false } },
  'the deduplication token': { warehouse: { token: false, probe: true } },
  'the probe': { warehouse: { token: true, probe: false }, forgetsTokens: true },
};
