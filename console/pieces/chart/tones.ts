import type { Series } from './chart-props.ts';

/** Far enough apart for eyes that don't tell red from green: they differ in lightness too. */
export const TONE_COLORS: Record<Series['tone'], string> = {
  brand: 'light-dark(#3a51cc, #8ea2ff)',
  good: 'light-dark(#2b8a6e, #5fd3ae)',
  bad: 'light-dark(#d6336c, #ff7aa8)',
  waiting: 'light-dark(#e08e0b, #ffc46b)',
  quiet: 'light-dark(#8b95a7, #7c879b)',
};
