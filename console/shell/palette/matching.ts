import type { Entry } from './entry.ts';

/** The entries that the typed text means: first those whose label has it, then those with such words. */
export function matching(entries: readonly Entry[], typed: string): readonly Entry[] {
  const wanted = typed.trim().toLowerCase();
  if (wanted === '') return entries.filter(({ isOnlyFound }) => !isOnlyFound);
  const hasLabel = ({ label }: Entry) => label.toLowerCase().includes(wanted);
  const parts = wanted.split(/\s+/);
  const hasWords = ({ label, words = '' }: Entry) => {
    const known = `${label} ${words}`.toLowerCase().split(' ');
    return parts.every(part => known.some(word => word.startsWith(part)));
  };
  return [
    ...entries.filter(hasLabel),
    ...entries.filter(entry => !hasLabel(entry) && hasWords(entry)),
  ];
}
