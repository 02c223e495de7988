import { PROBLEMS, type ProblemCode } from '../../schema/values/problem.ts';

/** Why a request is refused: the caller's to mend, and safe to show to them. */
export type Rejection = {
  readonly code: ProblemCode;
  readonly message: string;
  /** The path of the input that is at fault, list positions included. */
  readonly field?: readonly string[];
  /** What REST shows beside `detail`, and GraphQL in `extensions`. */
  readonly facts?: Readonly<Record<string, unknown>>;
};

/** Undoes the action's transaction; the edge shows every rejection. Anything else thrown is a bug. */
export class Rejected extends Error {
  readonly rejections: readonly Rejection[];

  constructor(rejections: readonly [Rejection, ...Rejection[]]) {
    super(rejections.map(({ code }) => code).join(', '));
    this.name = 'Rejected';
    this.rejections = rejections;
  }
}

/** The message is the table's unless the case at hand allows a more helpful one. */
export function rejection(
  code: ProblemCode,
  details: Partial<Omit<Rejection, 'code'>> = {},
): Rejection {
  return { message: PROBLEMS[code].title, ...details, code };
}

export function reject(code: ProblemCode, details: Partial<Omit<Rejection, 'code'>> = {}): never {
  throw new Rejected([rejection(code, details)]);
}
