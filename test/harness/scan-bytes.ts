import { type Scan, scanFrames } from '../../ingest/spool/scan-frames.ts';

/** Scans `bytes` from `start` for frames, reading `pieceBytes` at a time. */
export function scanBytes(
  bytes: Buffer,
  start: number,
  seed: number,
  pieceBytes?: number,
): Promise<Scan> {
  return scanFrames(fileOf(bytes), start, bytes.length, seed, pieceBytes);
}

/** A file handle that reads from the bytes. */
function fileOf(bytes: Buffer) {
  return {
    read: async (position: number, length: number, memory?: Buffer) => {
      const found = bytes.subarray(position, position + length);
      if (memory === undefined || memory.length < length) return Buffer.from(found);
      return memory.subarray(0, found.copy(memory));
    },
  };
}
