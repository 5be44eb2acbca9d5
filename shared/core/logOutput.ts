/**
 * Destination of log lines: stdout, which Lambda passes unchanged in both of its log formats. Lambda adds a prefix to
 * console output in the text format, and encloses it in a string in the JSON format, which hides fields and metrics
 * from CloudWatch.
 */

type WriteLine = (line: string) => void;

let destination: WriteLine = line => void process.stdout.write(`${line}\n`);

export const writeLine: WriteLine = line => destination(line);

/** Replaces the destination, as local processes and tests do. Returns a function that restores the former one. */
export function redirectLog(to: WriteLine): () => void {
  const former = destination;
  destination = to;
  return () => {
    destination = former;
  };
}
