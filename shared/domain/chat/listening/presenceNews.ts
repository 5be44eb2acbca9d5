import { clock } from '#shared/core/clock.ts';
import type { Participant } from '#shared/storage/dynamodb/chat/participants.ts';
import { type Presence, TYPING_MS } from '#shared/storage/dynamodb/chat/presence.ts';

/** Returns a selector of presence changes between polls, which the cursor does not cover. */
export function presenceNews(participant: Participant, sinceMs: number): (all: readonly Presence[]) => Presence[] {
  let seenMs: Map<string, number> | undefined;
  return all => {
    const before = seenMs;
    // Compared with the previous read, because the writer's clock may be behind.
    const isNew = ({ name, atMs }: Presence) => (before ? atMs > (before.get(name) ?? 0) : atMs >= sinceMs);
    const news = all.filter(isNew);
    seenMs = new Map(before);
    for (const { name, atMs } of before ? news : all) seenMs.set(name, atMs);
    return news.filter(presence => isPresenceFor(participant, presence));
  };
}

/** Users receive other users' presence, and the status of their own messages. */
export const isPresenceFor = (
  { userId, generation }: Pick<Participant, 'userId' | 'generation'>,
  presence: Presence,
): boolean =>
  (presence.userId === userId) === (presence.kind === 'status') &&
  presence.generation === generation &&
  (presence.kind !== 'typing' || clock.now() - presence.atMs <= TYPING_MS);
