/** Short reasons from what the CLI and the platform report. */
const LONGEST = 300;

/** Progress, and what esbuild prints when the CLI exits before it. */
const NOISE = /^(?:🤖|🏠|○|✓|👤|🔗|fatal error: all goroutines)/u;

/** The lines of an output that describe the error. */
export function errorIn(output: string): string {
  const lines = output
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !NOISE.test(line));
  const at = lines.findIndex(line => line.startsWith('×'));
  return shortened(lines.slice(Math.max(at, 0)).join(' ').replace(/^× /, ''));
}

export const shortened = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)} …` : line;
};

/** Parley's own reasons. Every other one is the text of an error that the integration threw. */
const OWN_REASONS = /^(?:The integration (?:did not respond|could not be reached|responded with status)|The code )/;

export const isOwnReason = (reason: string): boolean => OWN_REASONS.test(reason);
