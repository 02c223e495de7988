/** The target of a button: a URL, a phone number or a code. */
export function buttonTarget(button: {
  readonly url: string | null;
  readonly phoneNumber: string | null;
  readonly code: string | null;
}): string | undefined {
  return button.url ?? button.phoneNumber ?? button.code ?? undefined;
}
