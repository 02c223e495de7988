/** The ORM follows its flushes through promises. With node's older way, which is still the default of
 * 22, that makes every promise of the process dearer: a request takes about a quarter more. */
export const API_NODE_ARGS: readonly string[] = ['--experimental-async-context-frame'].filter(
  option => process.allowedNodeEnvironmentFlags.has(option),
);
