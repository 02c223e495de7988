const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

/**
 * A fraction for each number, instead of a random one: those of any numbers in a row are spread evenly
 * between 0 and 1, however few or many they are.
 */
export function evenly(number: number): number {
  return (number * GOLDEN_RATIO) % 1;
}
