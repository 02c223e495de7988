// The number of SMS segments of a text. One character outside GSM-7 makes the whole text UCS-2.

export type SmsSize = {
  readonly encoding: 'GSM_7' | 'UCS_2';
  /** Septets for GSM_7, UTF-16 code units for UCS_2. */
  readonly units: number;
  readonly segments: number;
};

const GSM_7 = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
/** Two septets each: an escape and a character. */
const GSM_7_ESCAPED = new Set('^{}\\[~]|€\f');

const SEGMENT_UNITS = {
  GSM_7: { single: 160, part: 153 },
  UCS_2: { single: 70, part: 67 },
} as const;

export function smsSize(text: string): SmsSize {
  const characters = Array.from(text);
  const encoding = characters.every(isGsm7) ? 'GSM_7' : 'UCS_2';
  const { single, part } = SEGMENT_UNITS[encoding];
  const widths = characters.map(character => widthOf(character, encoding));
  const units = widths.reduce((sum, width) => sum + width, 0);
  return { encoding, units, segments: units <= single ? 1 : partsOf(widths, part) };
}

export function isGsm7(character: string): boolean {
  return GSM_7.has(character) || GSM_7_ESCAPED.has(character);
}

function widthOf(character: string, encoding: SmsSize['encoding']): number {
  if (encoding === 'UCS_2') return character.length;
  return GSM_7_ESCAPED.has(character) ? 2 : 1;
}

/**
 * A character is never split: if only one unit is left, a two-unit character starts a new segment.
 */
function partsOf(widths: readonly number[], size: number): number {
  let parts = 1;
  let used = 0;
  for (const width of widths) {
    if (used + width > size) {
      parts++;
      used = 0;
    }
    used += width;
  }
  return parts;
}
