import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { DeclaredSecret } from './secretValues.ts';

/** Prompts in the terminal without showing what is typed. Enter leaves a secret without a value. */
export async function askSecrets(
  integration: string,
  secrets: readonly DeclaredSecret[],
): Promise<Record<string, string>> {
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const values: Record<string, string> = {};
  for (const { name, description } of secrets) {
    process.stdout.write(`${integration} ${name}${description ? ` (${description})` : ''}, or Enter to set it later: `);
    const terminal = createInterface({ input: process.stdin, output: hidden, terminal: true });
    // In raw mode, the terminal does not turn Ctrl-C into a signal.
    terminal.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    const value = (await terminal.question('')).trim();
    terminal.close();
    process.stdout.write('\n');
    if (value !== '') values[name] = value;
  }
  return values;
}
