/** Drops the log line of each successful call. Collecting them for failing tests costs a tenth of the run. */
import { redirectLog } from '#shared/core/logOutput.ts';

redirectLog(line => {
  // biome-ignore lint/suspicious/noConsole: Vitest prints the console's output of failed tests.
  if (!line.startsWith('{"level":"INFO"')) console.error(line);
});
