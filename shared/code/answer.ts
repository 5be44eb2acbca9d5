/** What a function of deployed code takes and answers. Apart from its host, so that whoever only calls it does not carry the host's text. */

/** A request as the SDK's handlers take it. */
export interface CodeRequest {
  method: string;
  path: string;
  query: string;
  headers: Record<string, string>;
  body: string;
}

/** A printed line, in the order of printing. */
export interface PrintedLine {
  level: 'debug' | 'info' | 'warn' | 'error';
  text: string;
  atMs: number;
}

/** What the function answers. */
export interface CodeAnswer {
  /** Undefined when the code threw, or could not be loaded. */
  response?: { status?: number; headers?: Record<string, string>; body?: string };
  /** Why there is no response. */
  error?: string;
  printed: PrintedLine[];
  /** Lines beyond the limits. */
  dropped: number;
}

/** Of one invocation: what is more is counted and dropped. */
export const PRINTED_LINES = 100;
export const LINE_CHARACTERS = 4_000;
