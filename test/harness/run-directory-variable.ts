/**
 * Names the directory that holds everything a run writes. Each process of the run inherits it, so a
 * process that has it in its environment or command line after the run is a leftover.
 */
export const RUN_DIRECTORY_VARIABLE = 'TEST_RUN_DIRECTORY';
