import type { Entry } from './entry.ts';

/** The entries that the typed text means, the closest first. */
export function matching(entries: readonly Entry[], typed: string): readonly Entry[] {
  const wanted = typed.trim().toLowerCase();
  if (wanted === '') return entries.filter(({ isOnlyFound }) => !isOnlyFound);
  return entries
    .map(entry => ({ entry, rank: rankOf(entry, wanted) }))
    .filter(({ rank }) => rank !== undefined)
    .sort((a, b) => a.rank! - b.rank!)
    .map(({ entry }) => entry);
}

/** Lower is closer. Undefined if the entry has nothing to do with the text. */
function rankOf({ label, words = '', isFirst }: Entry, wanted: string): number | undefined {
  const title = label.toLowerCase();
  const parts = wanted.split(/\s+/);
  const hasParts = (text: string) => {
    const known = text.toLowerCase().split(' ');
    return parts.every(part => known.some(word => word.startsWith(part)));
  };
  const ranks = [
    title === wanted,
    title.startsWith(wanted),
    title.includes(wanted),
    hasParts(title),
    hasParts(`${title} ${words}`),
  ];
  const rank = ranks.indexOf(true);
  if (rank === -1) return undefined;
  if (!isFirst) return rank;
  // Found by other words, it is only before what also is: “rej” means “Rejected events”.
  return rank < ranks.length - 1 ? -1 : rank - 0.5;
}
