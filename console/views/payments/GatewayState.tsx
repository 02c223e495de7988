import { State, type Tone } from '../../pieces/State.tsx';

const WORDS: Readonly<Record<Tone, ReadonlySet<string>>> = {
  good: new Set(['SUCCESS', 'PAID', 'ACTIVE', 'MERCHANT_WON', 'PROCESSED', 'COMPLETED']),
  waiting: new Set([
    'CREATING',
    'PENDING',
    'PARTIALLY_PAID',
    'INITIATED',
    'INITIALIZED',
    'INITIALISED',
    'ONHOLD',
    'ON_HOLD',
    'PAUSED',
    'CUSTOMER_PAUSED',
    'BANK_APPROVAL_PENDING',
    'UNDER_REVIEW',
    'CREATED',
    'DOCS_RECEIVED',
    'TERMINATION_REQUESTED',
  ]),
  bad: new Set([
    'FAILED',
    'REFUSED',
    'REVERSED',
    'MERCHANT_LOST',
    'INSUFFICIENT_EVIDENCE',
    'CARD_EXPIRED',
    'PARKED',
  ]),
  quiet: new Set(),
  info: new Set(['RECEIVED']),
};

type GatewayStateProps = {
  /** Our status or the gateway's own, which can have new values. */
  readonly name: string;
};

export function GatewayState({ name }: GatewayStateProps) {
  return <State name={name} tone={toneOf(name)} />;
}

/** A dispute's status begins with its stage: `CHARGEBACK_MERCHANT_WON`. */
function toneOf(name: string): Tone {
  const tones = Object.entries(WORDS) as [Tone, ReadonlySet<string>][];
  for (const [tone, words] of tones) if (words.has(name)) return tone;
  for (const [tone, words] of tones)
    if ([...words].some(word => name.endsWith(`_${word}`))) return tone;
  return 'quiet';
}
