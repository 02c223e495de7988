import { ClickHouseException } from './clickhouse.ts';

/**
 * Whether ClickHouse will never accept these rows, so that retrying is useless. All other errors (a
 * missing table, too many parts, no memory, no access) are conditions of the server and are
 * retried. Codes: ClickHouse's ErrorCodes.cpp.
 */
export function isRefusalOfData(error: unknown): boolean {
  return error instanceof ClickHouseException && DATA_ERROR_CODES.has(error.code);
}

/**
 * Whether ClickHouse had too little memory for the block, either at the moment or for any block of
 * that size.
 */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof ClickHouseException && error.code === MEMORY_LIMIT_EXCEEDED;
}

const MEMORY_LIMIT_EXCEEDED = 241;

const DATA_ERROR_CODES = new Set([
  6, // CANNOT_PARSE_TEXT
  27, // CANNOT_PARSE_INPUT_ASSERTION_FAILED
  32, // ATTEMPT_TO_READ_AFTER_EOF
  33, // CANNOT_READ_ALL_DATA
  38, // CANNOT_PARSE_DATE
  41, // CANNOT_PARSE_DATETIME
  53, // TYPE_MISMATCH
  69, // ARGUMENT_OUT_OF_BOUND
  70, // CANNOT_CONVERT_TYPE
  72, // CANNOT_PARSE_NUMBER
  117, // INCORRECT_DATA
  131, // TOO_LARGE_STRING_SIZE
  321, // VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE
  349, // CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN
  376, // CANNOT_PARSE_UUID
  395, // FUNCTION_THROW_IF_VALUE_IS_NON_ZERO, in a materialized view
  407, // DECIMAL_OVERFLOW
  469, // VIOLATED_CONSTRAINT
]);
