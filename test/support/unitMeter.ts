/** Proxies DynamoDB and counts calls and billed units, including asynchronous work. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface UnitMeter {
  url: string;
  /**
   * Returns the write units since the last call, in total and by operation and kind of item, the read units, and the
   * calls.
   */
  take(): { units: number; byItem: Record<string, number>; readUnits: number; calls: number };
  stop(): void;
}

type Value = Record<string, unknown>;
type Item = Record<string, Value>;
interface Capacity {
  CapacityUnits?: number;
}
interface TransactItem {
  Put?: { Item: Item };
  Update?: { Key: Item; UpdateExpression: string };
  Delete?: { Key: Item };
  ConditionCheck?: { Key: Item };
}

const SINGLE = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem']);
const READS = new Set(['GetItem', 'Query', 'BatchGetItem', 'TransactGetItems']);

export async function startUnitMeter(target: string): Promise<UnitMeter> {
  let byItem: Record<string, number> = {};
  let readUnits = 0;
  let calls = 0;
  const add = (name: string, units: number) => {
    byItem[name] = (byItem[name] ?? 0) + units;
  };
  const server = createServer(async (incoming, outgoing) => {
    const { method, headers, url } = incoming;
    const operation = String(headers['x-amz-target']).split('.').at(-1)!;
    const [isSingle, isRead] = [SINGLE.has(operation), READS.has(operation)];
    const body = await text(incoming);
    const input = body && (isSingle || isRead || operation === 'TransactWriteItems') ? JSON.parse(body) : undefined;
    const sent = isSingle || isRead ? JSON.stringify({ ...input, ReturnConsumedCapacity: 'TOTAL' }) : body;
    const forwarded = request(new URL(url!, target), {
      method,
      headers: { ...headers, 'content-length': Buffer.byteLength(sent) },
    });
    forwarded.end(sent);
    const [answer] = await once(forwarded, 'response');
    outgoing.writeHead(answer.statusCode, answer.headers);
    if (!input) return void answer.pipe(outgoing);
    calls++;
    const answered = await text(answer);
    outgoing.end(answered);
    const output: { ConsumedCapacity?: Capacity | Capacity[] } = JSON.parse(answered);
    if (isRead) {
      // DynamoDB Local counts nothing for missing items, while DynamoDB counts a minimum.
      const least = input.ConsistentRead ? 1 : 0.5;
      readUnits += Math.max(least, unitsIn(output.ConsumedCapacity ?? []));
      return;
    }
    // A rejected write is also billed.
    if (isSingle) {
      const units = unitsIn(output.ConsumedCapacity ?? { CapacityUnits: 1 });
      add(`${operation} ${nameOf(input.Item ?? input.Key)}`, units);
    } else {
      // DynamoDB Local counts two units per transaction, regardless of its items.
      for (const item of input.TransactItems as TransactItem[]) {
        const [kind, part] = Object.entries(item)[0]!;
        add(`Transact${kind} ${nameOf(part.Item ?? part.Key)}`, unitsOf(item));
      }
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take: () => {
      const units = Object.values(byItem).reduce((sum, units) => sum + units, 0);
      const taken = { units, byItem, readUnits, calls };
      [byItem, readUnits, calls] = [{}, 0, 0];
      return taken;
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const unitsIn = (consumed: Capacity | Capacity[]): number =>
  [consumed].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);

const stringOf = (value: Value | undefined) => String(value?.S ?? '');

/** Returns the kind of an item, from its keys: `convo t`, `analytics`. */
function nameOf(item: Item | undefined): string {
  const [, pk = ''] = stringOf(item?.pk).split('#');
  const [sk = ''] = stringOf(item?.sk).split('#');
  return `${pk.split('_')[0]} ${sk.replace(/^\d.*/, '')}`.trim();
}

const UNIT_BYTES = 1024;
/** A transaction reads and writes each item twice. */
const TRANSACTION = 2;

/** Returns the write units of an item in a transaction: two per kilobyte, and one per index entry that moves. */
function unitsOf({ Put, Update, ConditionCheck, Delete }: TransactItem): number {
  if (Put) {
    const entries = Object.keys(Put.Item).filter(name => /^gsi\dSk$/.test(name)).length;
    return TRANSACTION * Math.ceil(bytesOf(Put.Item) / UNIT_BYTES) + entries;
  }
  if (Update) {
    const moved = new Set(Update.UpdateExpression.match(/gsi\dSk/g)).size;
    return TRANSACTION + 2 * moved;
  }
  return ConditionCheck || Delete ? TRANSACTION : 0;
}

/** Approximates the size of an item as DynamoDB counts it: names and values. */
const bytesOf = (item: Item): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + name.length + valueBytes(value), 0);

function valueBytes(value: Value): number {
  const [[type, content] = []] = Object.entries(value) as [string, unknown][];
  if (type === 'S') return Buffer.byteLength(String(content));
  if (type === 'B') return Buffer.from(String(content), 'base64').length;
  if (type === 'M') return 3 + bytesOf(content as Item);
  if (type === 'L') return 3 + (content as Value[]).reduce((sum, each) => sum + 1 + valueBytes(each), 0);
  return type === 'N' ? Math.ceil(String(content).length / 2) + 1 : 1;
}
