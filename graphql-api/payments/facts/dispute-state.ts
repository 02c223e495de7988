import type { DisputeFact, StateOf } from './facts.ts';
import { furthest, isBehind, type Position, timeOf } from './furthest.ts';

export type DisputeState = StateOf<DisputeFact, 'disputeId'>;

/** A dispute moves through these stages under one ID. It can be won or lost in each of them. */
const STAGES = ['RETRIEVAL', 'DISPUTE', 'CHARGEBACK', 'PRE_ARBITRATION', 'ARBITRATION'] as const;
/** From this stage on, the amount is taken from the merchant until they win. */
const CHARGING = STAGES.slice(STAGES.indexOf('CHARGEBACK'));

const WON = 'MERCHANT_WON';
const CLOSED = [WON, 'MERCHANT_LOST', 'MERCHANT_ACCEPTED'];
/** The order within a stage, for statuses with the same time. */
const WORDS = [
  'CREATED',
  'DOCS_RECEIVED',
  'UNDER_REVIEW',
  'INSUFFICIENT_EVIDENCE',
  'MERCHANT_ACCEPTED',
  'MERCHANT_LOST',
  WON,
];

export function nextDispute(current: DisputeState | undefined, fact: DisputeFact): DisputeState {
  return furthest(current, stateOf(fact), positionOf);
}

export function isLateDispute(current: DisputeState | undefined, fact: DisputeFact): boolean {
  return isBehind(current, stateOf(fact), positionOf);
}

type Charges = {
  /** Stages in which the amount is or was taken. */
  readonly taken: readonly string[];
  /** Stages whose amount was returned: all of them, once the merchant has won the last. */
  readonly won: readonly string[];
};

/** The chargebacks of a dispute. Each stage is a separate chargeback. */
export function chargesOf({ type, status }: Pick<DisputeState, 'type' | 'status'>): Charges {
  const stage = stageOf(type, status);
  const reached = CHARGING.filter(name => STAGES.indexOf(name) <= stage);
  if (isWon(status)) return { taken: [], won: reached };
  return { taken: reached.slice(-1), won: [] };
}

export function isWon(status: string): boolean {
  return status.endsWith(WON);
}

function isClosed(status: string): boolean {
  return CLOSED.some(word => status.endsWith(word));
}

/** Increases as the dispute moves on. */
export function disputeRank({ type, status }: Pick<DisputeState, 'type' | 'status'>): number {
  return Math.max(stageOf(type, status), 0) * 2 + (isClosed(status) ? 1 : 0);
}

function positionOf({ type, status, statusAtMs }: DisputeState): Position {
  const word = WORDS.findIndex(ending => status.endsWith(ending));
  return [stageOf(type, status), isClosed(status) ? 1 : 0, timeOf(statusAtMs), word];
}

/** The status also names its stage, and the type may lag behind it. -1 if neither is known. */
function stageOf(type: string, status: string): number {
  const named = STAGES.findLastIndex(stage => status.startsWith(`${stage}_`));
  return Math.max(named, (STAGES as readonly string[]).indexOf(type));
}

function stateOf(fact: DisputeFact): DisputeState {
  return { ...fact, statusAtMs: fact.atMs };
}
