// ClickHouse's errors: how the engine words them, and how its HTTP interface returns them.

/** An error with ClickHouse's code, which its clients recognize. */
export class Exception extends Error {
  readonly code: number;
  readonly codeName: string;
  constructor(code: number, codeName: string, message: string) {
    super(message);
    this.code = code;
    this.codeName = codeName;
  }
}

/** Our own rejections, with the names and codes that a ClickHouse server uses for them. */
export const EXCEPTION_CODES = {
  UNEXPECTED_END_OF_FILE: 3,
  BAD_ARGUMENTS: 36,
  CHECKSUM_DOESNT_MATCH: 40,
  NOT_IMPLEMENTED: 48,
  SYNTAX_ERROR: 62,
  UNKNOWN_FORMAT: 73,
  UNKNOWN_COMPRESSION_METHOD: 89,
  INCORRECT_DATA: 117,
  TOO_LARGE_SIZE_COMPRESSED: 131,
  READONLY: 164,
  UNKNOWN_USER: 192,
  TOO_MANY_SIMULTANEOUS_QUERIES: 202,
  QUERY_IS_TOO_LARGE: 229,
  CANNOT_DECOMPRESS: 271,
  LIMIT_EXCEEDED: 290,
  SUPPORT_IS_DISABLED: 344,
  INTO_OUTFILE_NOT_ALLOWED: 358,
  SESSION_NOT_FOUND: 372,
  SESSION_IS_LOCKED: 373,
  INVALID_SESSION_TIMEOUT: 374,
  QUERY_WAS_CANCELLED: 394,
  ACCESS_DENIED: 497,
  AUTHENTICATION_FAILED: 516,
  UNKNOWN_EXCEPTION: 1002,
} as const;

export function exception(name: keyof typeof EXCEPTION_CODES, message: string): Exception {
  return new Exception(EXCEPTION_CODES[name], name, message);
}

const ENGINE_PREFIX = /^(?:Query failed: )?Code: (\d+)\. DB::Exception: /;
const ENGINE_SUFFIX = /\s*\(([A-Z0-9_]*[A-Z]{3}[A-Z0-9_]*)\)(?: \(version [^)]*\))?\.?\s*$/;
const VERSION_SUFFIX = /\s*\(version [^)]*\)\.?\s*$/;
/** The engine reads an insert's data from an internal file, whose path is removed from errors. */
const OUR_FILE = /: \(in file\/uri [^)]*\)|: data for INSERT was parsed from file/g;

/** The engine wraps a read error in itself, once per layer. Only the innermost text counts. */
export function fromEngine(error: unknown): Exception {
  let message = error instanceof Error ? error.message : String(error);
  let code: number = EXCEPTION_CODES.UNKNOWN_EXCEPTION;
  let codeName = 'UNKNOWN_EXCEPTION';
  for (;;) {
    const prefix = ENGINE_PREFIX.exec(message);
    if (prefix === null) break;
    code = Number(prefix[1]);
    message = message.slice(prefix[0].length).replace(VERSION_SUFFIX, '');
    const suffix = ENGINE_SUFFIX.exec(message);
    if (suffix !== null) {
      codeName = suffix[1]!;
      message = message.slice(0, suffix.index);
    }
  }
  return new Exception(code, codeName, message.replace(OUR_FILE, '').replace(/\.$/, ''));
}

/** The text of an error response. The official clients parse code, message and name from it. */
export function exceptionText(problem: Exception, version: string): string {
  const { code, message, codeName } = problem;
  return `Code: ${code}. DB::Exception: ${message}. (${codeName}) (version ${version})\n`;
}

const STATUS_400 = [
  6, 8, 15, 25, 26, 27, 36, 37, 38, 41, 44, 53, 62, 72, 117, 123, 167, 168, 223, 321, 376, 427, 441,
  675, 676,
];
const STATUS_404 = [46, 47, 50, 56, 60, 63, 73, 78, 81, 115, 152, 336, 511];
const STATUSES = new Map<number, number>([
  ...STATUS_400.map(code => [code, 400] as const),
  ...STATUS_404.map(code => [code, 404] as const),
  [48, 501],
  [76, 503],
  [159, 408],
  [202, 503],
  [209, 503],
  [229, 413],
  [381, 411],
  [439, 503],
  [497, 403],
  [516, 403],
  [779, 415],
]);

/** As ClickHouse maps them, except for 202: "try again" is 503 instead of 500. */
export function statusOf(problem: Exception): number {
  return STATUSES.get(problem.code) ?? 500;
}
