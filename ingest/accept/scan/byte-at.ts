/** As a signed 32-bit number, like the characters it is compared with. */
export function byteAt(pos: i32): i32 {
  return <i32>load<u8>(pos);
}
