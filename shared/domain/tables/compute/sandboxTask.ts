export interface Task {
  code: string;
  row: string;
  timeoutMs: number;
  memoryBytes: number;
}

/** @property isSpent the interpreter may be corrupt: discard the thread */
export type Answer = { json: string } | { error: string; isSpent?: true };

export const codeTimeoutText = ({ timeoutMs }: Task) => `The code ran longer than ${timeoutMs} ms.`;
