import { inPlainWords } from '../../pieces/in-words.ts';

/** The methods that are abbreviations. */
const NAMES: Readonly<Record<string, string>> = {
  UPI: 'UPI',
  UPI_AUTOPAY: 'UPI Autopay',
  ENACH: 'eNACH',
  PNACH: 'NACH on paper',
};

/** How it is paid, as people call it. */
export function inMethod(method: string | null): string | null {
  return method === null ? null : (NAMES[method.toUpperCase()] ?? inPlainWords(method));
}
