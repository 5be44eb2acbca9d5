/** Creates and reads dead letters: changes and jobs that failed on every attempt in the table. */
import { vi } from 'vitest';
import { documents } from '#shared/storage/dynamodb/engine/client.ts';
import { type DeadLetter, listDeadLettersOf } from '#shared/storage/dynamodb/maintenance/deadLetters.ts';

/** Returns a tenant's dead letters. */
export async function deadLettersOf(tenant: string): Promise<DeadLetter[]> {
  const found: DeadLetter[] = [];
  for await (const { record } of listDeadLettersOf(tenant)) found.push(record);
  return found;
}

/** Makes the counting of one bot's messages, or of its rows, fail until the mocks are restored. */
export function breakCounting(botId: string, counter = 'analytics'): void {
  const send = documents.send.bind(documents) as (command: { input: object }, ...rest: unknown[]) => unknown;
  vi.spyOn(documents, 'send').mockImplementation((command: { input: object }, ...rest: unknown[]) =>
    'TransactItems' in command.input && JSON.stringify(command.input).includes(`${botId}#${counter}`)
      ? Promise.reject(new Error('No counting today.'))
      : send(command, ...rest),
  );
}
