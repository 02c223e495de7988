// CityHash128 (version 1.0.2), computed by the WebAssembly module of city-hash/.

import { readFileSync } from 'node:fs';

type Exports = {
  readonly memory: WebAssembly.Memory;
  readonly hash128: (at: number, length: number) => void;
};

const DIGEST_BYTES = 16;
/** After the digest, which the module writes at the beginning of its memory. */
const BYTES_AT = 64;
const PAGE_BYTES = 65_536;

const { memory, hash128 } = instantiate();

/** 16 bytes: the low half first, each half in little endian, as ClickHouse writes it. */
export function cityHash128(bytes: Uint8Array): Buffer {
  const missing = BYTES_AT + bytes.length - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
  // Growing replaces the buffer.
  new Uint8Array(memory.buffer).set(bytes, BYTES_AT);
  hash128(BYTES_AT, bytes.length);
  return Buffer.from(new Uint8Array(memory.buffer, 0, DIGEST_BYTES));
}

function instantiate(): Exports {
  const module = new WebAssembly.Module(
    readFileSync(new URL('city-hash/module.wasm', import.meta.url)),
  );
  return new WebAssembly.Instance(module).exports as Exports;
}
