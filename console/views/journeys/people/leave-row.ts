import { keepPlace } from '../../../shell/use-kept-place.ts';
import { PEOPLE_ID } from '../journey-paths.ts';

/** Before the row of this button goes away: the focus goes to the person in the next row, else to the list. */
export function leaveRow(button: HTMLButtonElement | null): void {
  const row = button?.closest('tr');
  const next = row?.nextElementSibling ?? row?.previousElementSibling;
  // Not their button to remove, which Enter would press by mistake. A deleted contact has no link.
  const person = next?.querySelector<HTMLElement>('a[href], button');
  keepPlace(person ?? document.getElementById(PEOPLE_ID) ?? undefined);
}
