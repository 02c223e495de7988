import { writeExact } from '../../schema/values/exact-json.ts';
import type { Answer } from './store.ts';

/** Thrown by call handlers and returned in the gateway's error format. */
export class Refusal extends Error {
  readonly answer: Answer;
  constructor(status: number, code: string, message: string, type = 'invalid_request_error') {
    super(message);
    this.answer = { status, body: writeExact({ message, code, type }) };
  }
}

export function refuse(status: number, code: string, message: string, type?: string): never {
  throw new Refusal(status, code, message, type);
}

/** Rejects a field that is missing or not as documented. */
export function invalid(field: string, message: string): never {
  return refuse(400, `${field}_invalid`, `${field}: ${message}`);
}

export function notFound(what: string): never {
  return refuse(404, `${what}_not_found`, `${what} is not found`);
}

export function alreadyThere(what: string): never {
  return refuse(409, `${what}_already_exists`, `${what} with same id is already present`);
}
