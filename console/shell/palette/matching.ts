import type { Entry } from './entry.ts';

/** The entries that the typed text means, the closest first. */
export function matching(entries: readonly Entry[], typed: string): readonly Entry[] {
  const wanted = typed.trim().toLowerCase();
  if (wanted === '') return entries.filter(({ isOnlyFound }) => !isOnlyFound);
  return entries
    .map(entry => ({ entry, rank: rankOf(entry, wanted) }))
    .filter(({ rank }) => rank !== undefined)
    .sort((a, b) => a.rank! - b.rank!)
    .map(({ entry }) => ({ ...entry, label: labelFor(entry, wanted) }));
}

/** Lower is closer. Undefined if the entry has nothing to do with the text. */
function rankOf({ label, words = '', isFirst }: Entry, wanted: string): number | undefined {
  const title = label.toLowerCase();
  const ranks = [
    title === wanted,
    title.startsWith(wanted),
    title.includes(wanted),
    hasParts(title, wanted),
    hasParts(`${title} ${words}`, wanted),
  ];
  const rank = ranks.indexOf(true);
  if (rank === -1) return undefined;
  if (!isFirst) return rank;
  // Found by other words, it is only before what also is: “rej” means “Rejected events”.
  return rank < ranks.length - 1 ? -1 : rank - 0.5;
}

/** With the other words that it was found by, if its own say nothing about that: “Review identities · KYC”. */
function labelFor({ label, words }: Entry, wanted: string): string {
  const own = label.toLowerCase().split(' ');
  const unexplained = wanted
    .split(/\s+/)
    .filter(part => !own.some(word => word.startsWith(part) || part.startsWith(word)));
  if (words === undefined || unexplained.length === 0) return label;
  const meant = words.split(', ').filter(word => unexplained.some(part => hasParts(word, part)));
  return [label, ...meant].join(' · ');
}

/** Whether each word that was typed begins one of the text. */
function hasParts(text: string, wanted: string): boolean {
  const known = text.toLowerCase().split(/[ ,]+/);
  return wanted.split(/\s+/).every(part => known.some(word => word.startsWith(part)));
}
