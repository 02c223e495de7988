// The row of a list whose payment was opened: focus returns to it from the page of the payment.

let opened: { readonly id: string; readonly from: string } | undefined;

export function rememberOpened(id: string): void {
  opened = { id, from: location.pathname };
}

/** For an effect of the page: whoever leaves it for another page than the list does not return. */
export function forgetUnlessReturning(): () => void {
  return () => {
    if (opened?.from !== location.pathname) opened = undefined;
  };
}

/** For the `ref` of the link in the row. */
export function focusIfOpened(id: string, link: HTMLElement | null): void {
  if (link === null || opened?.id !== id || opened.from !== location.pathname) return;
  opened = undefined;
  // After the heading of the list, which has the focus after each navigation.
  setTimeout(() => {
    if (document.activeElement?.matches('body, h1')) link.focus();
  });
}
