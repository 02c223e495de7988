// Which suggestions match a typed text, the best first, and which one Enter chooses.

/** The text itself, also in other case, then those that begin with it, then those that contain it. */
export function suggested(suggestions: readonly string[], typed: string): readonly string[] {
  const wanted = typed.trim().toLowerCase();
  const rankOf = (suggestion: string): number => {
    const found = suggestion.toLowerCase();
    if (suggestion === typed.trim()) return 0;
    if (found === wanted) return 1;
    return found.startsWith(wanted) ? 2 : 3;
  };
  return suggestions
    .filter(suggestion => suggestion.toLowerCase().includes(wanted))
    .toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** What the first suggestion must have in common with the typed text. */
export type EnterChooses = 'containing' | 'beginning' | 'same';

/** Whether Enter replaces the typed text with the best suggestion. */
export function isChosen(best: string | undefined, typed: string, by: EnterChooses): boolean {
  if (best === undefined || typed === '') return false;
  if (by === 'same') return best === typed.trim();
  return by === 'containing' || best.toLowerCase().startsWith(typed.trim().toLowerCase());
}
