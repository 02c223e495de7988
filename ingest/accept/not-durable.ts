/** Rows could not be made durable. No part of the request may be acknowledged. */
export class NotDurable extends Error {
  constructor(cause: unknown) {
    super('The rows could not be made durable.', { cause });
  }
}
