/** Where a button leads: an address, a number, a code. */
export function buttonTarget(button: {
  readonly url: string | null;
  readonly phoneNumber: string | null;
  readonly code: string | null;
}): string | undefined {
  return button.url ?? button.phoneNumber ?? button.code ?? undefined;
}
