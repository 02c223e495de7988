/** Whether a dialog, menu or list of options is open above the page. Closed ones can stay in the document, hidden. */
export function isOverlayOpen(): boolean {
  const overlays = document.querySelectorAll('[role=dialog], [role=menu], [role=listbox]');
  return [...overlays].some(overlay => overlay.checkVisibility());
}
