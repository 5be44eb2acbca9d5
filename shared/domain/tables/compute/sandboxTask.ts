/** The messages between the sandbox and its thread. */

export interface Task {
  code: string;
  /** JSON. */
  row: string;
  timeoutMs: number;
  memoryBytes: number;
}

/** @property isSpent the interpreter may be damaged, and the thread must not be used again */
export type Answer = { json: string } | { error: string; isSpent?: true };

export const ranTooLong = ({ timeoutMs }: Task) => `The code ran longer than ${timeoutMs} ms.`;
