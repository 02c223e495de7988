import type { Entry } from './entry.ts';

/** The entries that the typed text means, the closest first. */
export function matching(entries: readonly Entry[], typed: string): readonly Entry[] {
  const wanted = typed.trim().toLowerCase();
  if (wanted === '') return entries.filter(({ isOnlyFound }) => !isOnlyFound);
  return entries
    .map(entry => ({ entry, rank: rankOf(entry, wanted) }))
    .filter(({ rank }) => rank !== undefined)
    .sort((a, b) => a.rank! - b.rank!)
    .map(({ entry }) => ({ ...entry, ...descriptionFor(entry, wanted) }));
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

/** With the other words that it was found by, if its label says nothing about them: “Partner – matches “KYC””. */
function descriptionFor({ label, description, words }: Entry, wanted: string) {
  const own = wordsIn(label);
  const unexplained = wanted
    .split(/\s+/)
    .filter(part => !own.some(word => word.startsWith(part) || part.startsWith(word)));
  const meant = (words?.split(', ') ?? []).filter(word =>
    unexplained.some(part => hasParts(word, part)),
  );
  if (meant.length === 0) return {};
  const matched = meant.map(word => `“${word}”`).join(', ');
  return {
    description:
      description === undefined ? `Matches ${matched}` : `${description} – matches ${matched}`,
  };
}

/** Whether each word that was typed begins one of the text. */
function hasParts(text: string, wanted: string): boolean {
  const known = wordsIn(text);
  return wanted.split(/\s+/).every(part => known.some(word => word.startsWith(part)));
}

const wordsIn = (text: string) =>
  text
    .toLowerCase()
    .split(/[ ,()]+/)
    .filter(word => word !== '');
