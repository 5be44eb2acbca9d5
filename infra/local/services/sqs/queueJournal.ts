import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { replaceFile } from '#infra/local/runtime/replaceFile.ts';
import type { QueueName } from '#shared/storage/queues/queueSettings.ts';

export interface Message {
  id: string;
  queue: QueueName;
  body: string;
  /** The message group. FIFO queues keep its messages in order. Standard queues use it as the tenant. */
  group?: string;
  visibleMs: number;
  receives: number;
}

export type Journal = ReturnType<typeof openJournal>;

/** @param file one JSON line per change, compacted on open; if undefined, messages are only in memory */
export function openJournal(file: string | undefined) {
  const messages = new Map<string, Message>();
  const append = (line: object) => file && appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  if (file && existsSync(file)) {
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      // The last line may be incomplete after a crash. Its change was not applied.
      if (!line.endsWith('}')) continue;
      const { removed, ...message } = JSON.parse(line);
      if (removed) messages.delete(removed);
      else messages.set(message.id, message);
    }
    replaceFile(file, [...messages.values()].map(message => `${JSON.stringify(message)}\n`).join(''));
  }
  return {
    messages: messages as ReadonlyMap<string, Message>,
    add: (message: Message) => {
      messages.set(message.id, message);
      append(message);
    },
    recordChange: (message: Message) => void append(message),
    remove: (id: string) => {
      messages.delete(id);
      append({ removed: id });
    },
  };
}
