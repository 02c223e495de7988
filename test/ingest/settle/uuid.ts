/** A UUID made of two numbers. */
export function uuid(high: number, low: number): string {
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
  return `${hex(high, 8)}-0000-4000-8000-${hex(low, 12)}`;
}
