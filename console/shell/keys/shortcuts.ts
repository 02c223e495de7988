// The shortcuts of all views, as they are listed for the viewer.

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** As the viewer's keyboard has it. */
const CTRL = isApple ? '⌘' : 'Ctrl';

export const PALETTE_KEYS = [CTRL, 'K'] as const;

type Shortcut = { readonly keys: readonly string[]; readonly does: string };

export const SHORTCUTS: readonly Shortcut[] = [
  { keys: PALETTE_KEYS, does: 'Search, and go to any view or action' },
  { keys: ['/'], does: 'Focus the page’s search or first filter' },
  { keys: ['T'], does: 'Show exact times, or “5 minutes ago” again' },
  { keys: [CTRL, 'S'], does: 'In a form with a save bar: save' },
  { keys: ['J'], does: 'In a review queue: the next item' },
  { keys: ['K'], does: 'In a review queue: the previous item' },
  { keys: ['X'], does: 'On an item of a review queue: select it' },
  { keys: ['A'], does: 'On an item of a review queue: approve, mark as won, or the next step' },
  { keys: ['R'], does: 'On an item of a review queue: reject, or mark as lost' },
  { keys: ['←', '→'], does: 'On a deal of the board: move it to another state' },
  { keys: ['?'], does: 'Show these shortcuts' },
];
