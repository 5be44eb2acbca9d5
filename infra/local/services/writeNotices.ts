/** Notifies listeners and the stream of this process's writes, which saves polling. */

import { isConversationId } from '#shared/core/ids.ts';
import { expectNotices, notifyListeners } from '#shared/domain/chat/feeds.ts';
import { client } from '#shared/storage/dynamodb/engine/client.ts';
import { isParticipantKey, isSignalKey } from '#shared/storage/dynamodb/keys/chat.ts';
import { type Key, splitPk } from '#shared/storage/dynamodb/keys/table.ts';

type AnyKey = Record<keyof Key, string | { S: string }>;
type Put = { Item: AnyKey };
type Change = { Key: AnyKey };
interface WriteInput extends Partial<Put & Change> {
  TransactItems?: { Put?: Put; Update?: Change; Delete?: Change }[];
  RequestItems?: Record<string, { PutRequest?: Put; DeleteRequest?: Change }[]>;
}

const WRITES = /^(Put|Update|Delete|TransactWrite|BatchWrite)/;

export function startWriteNotices(onWrite: () => void): () => void {
  // The document client uses the same middleware stack.
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async args => {
        if (!WRITES.test(commandName)) return next(args);
        try {
          return await next(args);
        } finally {
          // A call that failed may still have written.
          for (const written of writtenBy(commandName, args.input as WriteInput)) notify(written);
          onWrite();
        }
      },
    { step: 'initialize', name: 'writeNotices', override: true },
  );
  expectNotices(true);
  return () => {
    client.middlewareStack.remove('writeNotices');
    expectNotices(false);
  };
}

interface Written {
  key: AnyKey;
  isRemoved: boolean;
}

function writtenBy(commandName: string, input: WriteInput): Written[] {
  const put = (part?: Put) => (part ? [{ key: part.Item, isRemoved: false }] : []);
  const change = (part?: Change) => (part ? [{ key: part.Key, isRemoved: false }] : []);
  const removal = (part?: Change) => (part ? [{ key: part.Key, isRemoved: true }] : []);
  if (input.TransactItems) {
    return input.TransactItems.flatMap(({ Put, Update, Delete }) => [
      ...put(Put),
      ...change(Update),
      ...removal(Delete),
    ]);
  }
  if (input.RequestItems) {
    const parts = Object.values(input.RequestItems).flat();
    return parts.flatMap(({ PutRequest, DeleteRequest }) => [...put(PutRequest), ...removal(DeleteRequest)]);
  }
  return [{ key: (input.Item ?? input.Key)!, isRemoved: commandName.startsWith('Delete') }];
}

const textOf = (value: string | { S: string }) => (typeof value === 'string' ? value : value.S);

function notify({ key, isRemoved }: Written): void {
  const { botId, id } = splitPk(textOf(key.pk));
  if (!isConversationId(id)) return;
  const sk = textOf(key.sk);
  if (isSignalKey(sk)) notifyListeners(botId, id, 'changed');
  else if (isRemoved && isParticipantKey(sk)) notifyListeners(botId, id, 'left');
}
