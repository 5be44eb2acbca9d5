export type SandboxResult = { value: unknown } | { error: string; isTimeout?: true };

export interface Task {
  code: string;
  row: string;
  timeoutMs: number;
  memoryBytes: number;
}

/** @property isSpent the interpreter may be corrupt: discard the thread */
export type Answer = { json: string; isSpent?: never } | { error: string; isTimeout?: true; isSpent?: true };

export const timedOut = ({ timeoutMs }: Task) =>
  ({ error: `The code ran longer than ${timeoutMs} ms.`, isTimeout: true }) as const;
