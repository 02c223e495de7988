type Option = { readonly value: string; readonly label: string };

/** "All payouts" only if it shows all of them. */
export function queueTitle(
  noun: string,
  options: readonly Option[],
  status: string | null,
): string {
  const label = options.find(({ value }) => value === status)?.label;
  return label === undefined ? `All ${noun.toLowerCase()}` : `${noun}: ${label.toLowerCase()}`;
}
