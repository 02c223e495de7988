import { keepPlace } from '../../../shell/use-kept-place.ts';
import { PEOPLE_ID } from '../journey-paths.ts';

/** Before the row of this button goes away: the focus goes to that of the next row, else to the list. */
export function leaveRow(button: HTMLButtonElement | null): void {
  const row = button?.closest('tr');
  const next = row?.nextElementSibling ?? row?.previousElementSibling;
  const nextButton = next?.querySelector<HTMLElement>('td:last-child button:last-of-type');
  keepPlace(nextButton ?? document.getElementById(PEOPLE_ID) ?? undefined);
}
