/** What passes between who has code run and the thread that runs it. */

export interface Task {
  code: string;
  /** As JSON. */
  row: string;
  timeoutMs: number;
  memoryBytes: number;
}

/** A value is JSON. What the module may have been damaged by is the last that a thread does. */
export type Answer = { json: string } | { error: string; isSpent?: true };

export const ranTooLong = ({ timeoutMs }: Task) => `The code ran longer than ${timeoutMs} ms.`;
