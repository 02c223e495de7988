import { inCount } from '../../pieces/in-words.ts';

export function peopleOf(count: number): string {
  return count === 1 ? '1 person' : `${inCount(count)} people`;
}
