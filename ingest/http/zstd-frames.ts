// Finds the frames of a zstd stream (RFC 8878, section 3.1).

const FRAME_MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a50;
const CHECKSUM_BYTES = 4;
const BLOCK_HEADER_BYTES = 3;
const RLE_BLOCK = 1;
/** Each frame costs a thread pool task. Parallel compressors write frames of several megabytes. */
const FRAMES_MAX = 64;

/** The frames that contain data; undefined unless the bytes consist of complete frames. */
export function zstdFrames(bytes: Buffer): Buffer[] | undefined {
  const frames: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = endOfFrame(bytes, start);
    if (end === undefined || end > bytes.length) return undefined;
    if (bytes.readUInt32LE(start) === FRAME_MAGIC) frames.push(bytes.subarray(start, end));
    if (frames.length > FRAMES_MAX) return undefined;
    start = end;
  }
  return frames.length === 0 ? undefined : frames;
}

/** May be beyond the last byte. */
function endOfFrame(bytes: Buffer, start: number): number | undefined {
  if (start + 8 > bytes.length) return undefined;
  const magic = bytes.readUInt32LE(start);
  if ((magic & 0xffff_fff0) === SKIPPABLE_MAGIC) return start + 8 + bytes.readUInt32LE(start + 4);
  if (magic !== FRAME_MAGIC) return undefined;
  const descriptor = bytes[start + 4]!;
  let pos = start + 5 + headerBytes(descriptor);
  for (;;) {
    if (pos + BLOCK_HEADER_BYTES > bytes.length) return undefined;
    const header = bytes.readUIntLE(pos, BLOCK_HEADER_BYTES);
    const isRepeated = ((header >> 1) & 3) === RLE_BLOCK;
    pos += BLOCK_HEADER_BYTES + (isRepeated ? 1 : header >> 3);
    if ((header & 1) === 1) break;
  }
  return (descriptor & 4) === 0 ? pos : pos + CHECKSUM_BYTES;
}

/** The bytes of window, dictionary ID and content size; the descriptor determines their lengths. */
function headerBytes(descriptor: number): number {
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3]!;
  const sizeFlag = descriptor >> 6;
  const sizeBytes = sizeFlag === 0 ? Number(isSingleSegment) : 2 ** sizeFlag;
  return Number(!isSingleSegment) + dictionaryBytes + sizeBytes;
}
