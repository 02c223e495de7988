/** Rows could not be made durable. No part of the request may be acknowledged. */
export class SpoolFailure extends Error {
  constructor(cause: unknown) {
    super('The spool could not make the rows durable.', { cause });
  }
}
