/** Begins the line of the output that states why the code ended its process. */
export const FAILURE_MARK = 'parley:failure ';

/** Lambda returns the last 4 KB of the output. */
export const FAILURE_CHARACTERS = 2_500;
