// The problems that the client reports to the developer. The service's codes are passed on unchanged.

export type ClientProblem = {
  /**
   * The service's code, such as `FIELD_TOO_LONG` or `INVALID_WRITE_KEY`, or one of the client's own:
   * `NOT_SERIALIZABLE`, `QUEUE_FULL`, `EXPIRED`, `STORAGE_UNAVAILABLE`, `NOT_SENT`.
   */
  readonly code: string;
  readonly message: string;
  /** The events and reports that are lost because of the problem, as they were sent. Often empty. */
  readonly lost: readonly unknown[];
};

export type OnProblem = (problem: ClientProblem) => void;
