/** Joins reads of the same task: the inbox and the alerts follow the same notice. */
import type { InboxRow } from './contract.ts';

/** Maximum number of conversations of one call. */
const BATCH = 100;

type Read = (botId: string, conversationIds: readonly string[]) => Promise<InboxRow[]>;

interface Joined {
  ids: Set<string>;
  rows: Promise<InboxRow[]>;
}

export function joinReads(read: Read): Read {
  const open = new Map<string, Joined>();

  const begin = (botId: string): Joined => {
    const ids = new Set<string>();
    const rows = Promise.resolve().then(() => {
      if (open.get(botId)?.ids === ids) open.delete(botId);
      return read(botId, [...ids]);
    });
    const joined = { ids, rows };
    open.set(botId, joined);
    return joined;
  };

  return async (botId, conversationIds) => {
    const found = open.get(botId);
    const fits = found && new Set([...found.ids, ...conversationIds]).size <= BATCH;
    const { ids, rows } = fits ? found : begin(botId);
    for (const id of conversationIds) ids.add(id);
    return (await rows).filter(row => conversationIds.includes(row.conversationId));
  };
}
