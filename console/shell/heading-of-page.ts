/** Undefined while the page loads. */
export function headingOfPage(): HTMLElement | undefined {
  const headings = document.querySelectorAll<HTMLElement>('#main h1');
  // A page that is replaced by one that still loads is hidden until then.
  return [...headings].find(heading => heading.checkVisibility());
}
