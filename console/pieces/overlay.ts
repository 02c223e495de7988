export const OVERLAYS = '[role=dialog], [role=menu], [role=listbox]';

/** Whether a dialog, menu or list of options is open above the page. Closed ones can stay in the document, hidden. */
export function isOverlayOpen(): boolean {
  return [...document.querySelectorAll(OVERLAYS)].some(overlay => overlay.checkVisibility());
}
