/** A run of a script in the Vector Remap Language (VRL). */
export interface Task {
  script: string;
  event: Record<string, unknown>;
}

/** @property isSpent the interpreter may be corrupt: discard the thread */
export type Answer = { value: unknown; isSpent?: never } | { error: string; isSpent?: true };
