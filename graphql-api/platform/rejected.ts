import { PROBLEMS, type ProblemCode } from '../../schema/values/problem.ts';

/** Why a request is rejected. Safe to return to the caller. */
export type Rejection = {
  readonly code: ProblemCode;
  readonly message: string;
  /** The path of the invalid input field, including list positions. */
  readonly field?: readonly string[];
  /** Returned next to `detail` in REST, and in `extensions` in GraphQL. */
  readonly facts?: Readonly<Record<string, unknown>>;
};

/** Rolls back the action's transaction and is returned to the caller. Any other error is a defect. */
export class Rejected extends Error {
  readonly rejections: readonly Rejection[];

  constructor(rejections: readonly [Rejection, ...Rejection[]]) {
    super(rejections.map(({ code }) => code).join(', '));
    this.name = 'Rejected';
    this.rejections = rejections;
  }
}

/** The message defaults to the title of the code. */
export function rejection(
  code: ProblemCode,
  details: Partial<Omit<Rejection, 'code'>> = {},
): Rejection {
  return { message: PROBLEMS[code].title, ...details, code };
}

export function reject(code: ProblemCode, details: Partial<Omit<Rejection, 'code'>> = {}): never {
  throw new Rejected([rejection(code, details)]);
}
