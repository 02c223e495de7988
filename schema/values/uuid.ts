const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether the text is a UUID in its usual form, in either case and of any version. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
