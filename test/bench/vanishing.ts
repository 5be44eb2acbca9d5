/** A tenant whose connections vanish at once, as when a network fails, while its conversations go on. */
import { setTimeout as sleep } from 'node:timers/promises';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { listenResuming } from '#test/support/resumingListener.ts';

const CONNECTIONS = Number(process.env.BENCH_VANISHING ?? 5_000);
/** Limit of connections of one user to one conversation. */
const PER_CONVERSATION = 20;
const AT_ONCE = 8;
/** Messages last as long as the bystander's. */
const STORM_MS = 15_000;

export const VANISHING = `${CONNECTIONS} connections vanish at once, a message to each conversation meanwhile`;

export interface Talker {
  chatUrl: string;
  key: string;
  newConversation(): Promise<string>;
  say(conversationId: string, text: string): Promise<unknown>;
}

/** Opens the connections. @returns what cuts them and sends a message to each conversation */
export async function vanishing({ chatUrl, key, newConversation, say }: Talker): Promise<() => Promise<void>> {
  const ids = await mapConcurrently(Array.from({ length: CONNECTIONS / PER_CONVERSATION }), AT_ONCE, newConversation);
  const listeners = await mapConcurrently(Array.from({ length: CONNECTIONS }), AT_ONCE, (_, i) =>
    listenResuming({ chatUrl: () => chatUrl, key }, ids[i % ids.length]!),
  );
  return async () => {
    for (const listener of listeners) listener.stop();
    for (const id of ids) {
      await say(id, 'Is anybody there?');
      await sleep(STORM_MS / ids.length);
    }
  };
}
