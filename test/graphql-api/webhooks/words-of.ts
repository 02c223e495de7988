export function wordsOf(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
