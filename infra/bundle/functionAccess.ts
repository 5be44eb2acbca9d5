/**
 * Derives a function's access to resources from its declaration. The bundler uses it, so it does not import the CDK.
 */
import { CHAT_PARTITIONS } from '#shared/api/operations/chat.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import { PLATFORM_PARTITIONS } from '#shared/api/operations/platform.ts';
import { WEBHOOK_PARTITIONS } from '#shared/api/operations/webhook.ts';
import { acceptsBodyUploads } from '#shared/api/platform/fetchBody.ts';
import type { SocketRoute } from '#shared/api/socket/socketRoute.ts';
import type { Consumer, ConsumerAccess } from '#shared/events/consumers/consumer.ts';
import type { TableAccess } from '#shared/storage/dynamodb/engine/tableAccess.ts';
import type { ObjectAccess } from '#shared/storage/s3/objectAccess.ts';

export interface Access {
  table: 'none' | 'reads' | 'writes';
  partitions?: TableAccess;
  /** Scans the lists of all tenants. Only migrations do. */
  scansLists?: true;
  /** Access to values in the bucket that exceed the item size limit. */
  largeValues?: 'reads' | 'writes' | undefined;
  objects?: ObjectAccess | undefined;
  /** Returns URLs of files or assets. */
  showsContent?: boolean;
  index?: 'searches' | 'writes' | 'removes' | undefined;
  readsBodies?: boolean;
  /** Records the last use of tokens, even without other writes. */
  recordsTokenUse?: boolean;
  /** Counts calls for rate limits, even without other writes. */
  countsCalls?: boolean;
  /** Creates and deletes leases of streams, even without other writes. */
  leasesStreams?: boolean;
  /** Seals or opens stored secrets. Functions that call endpoints also sign with them. */
  secrets?: 'opens' | undefined;
  sends?: ConsumerAccess['sends'];
  /** Stores dead letters of changes or jobs that it cannot process. Consumers of the stream also redrive them. */
  deadLetters?: 'only' | 'andRedrives';
  callsEndpoints?: boolean | undefined;
  /** Calls the language model, with a streamed response for `streams`. */
  model?: 'invokes' | 'streams' | undefined;
  code?: ConsumerAccess['code'];
  connections?: ConsumerAccess['connections'];
}

/** Table access shared by all operations of a group. */
export const GROUP_PARTITIONS: Record<Operation['group'], TableAccess> = {
  chat: CHAT_PARTITIONS,
  webhook: WEBHOOK_PARTITIONS,
  ...PLATFORM_PARTITIONS,
};

const joined = (parts: readonly (TableAccess | undefined)[]): Required<TableAccess> => {
  const all = (kind: keyof TableAccess) => [...new Set(parts.flatMap(part => part?.[kind] ?? []))];
  return { reads: all('reads'), writes: all('writes'), appends: all('appends') };
};

/**
 * Returns true for public writes. Such an operation declares all its partitions, because those of its group include
 * tokens.
 */
const writesForAnyone = (operation: Operation): boolean =>
  operation.api === 'platform' && operation.scope === 'public' && operation.table === 'writes';

const showsContent = ({ objects }: { objects?: ObjectAccess }) =>
  objects?.reads?.some(prefix => prefix === 'files' || prefix === 'assets') ?? false;

export const accessOf = (operation: Operation): Access => {
  const { table, largeValues, group } = operation;
  const partitions = joined([writesForAnyone(operation) ? undefined : GROUP_PARTITIONS[group], operation.partitions]);
  if (operation.api === 'webhook') {
    const { sends } = operation;
    return { table, partitions, largeValues, countsCalls: true, callsEndpoints: true, sends };
  }
  if (operation.api === 'chat')
    return {
      table,
      partitions,
      largeValues,
      objects: operation.objects,
      showsContent: showsContent(operation),
      countsCalls: true,
      leasesStreams: operation.streams !== undefined,
      sends: operation.sends,
      ...(table === 'none' ? {} : { secrets: 'opens' }),
    };
  return {
    table,
    partitions,
    largeValues,
    objects: operation.objects,
    showsContent: showsContent(operation),
    index: operation.index,
    sends: operation.sends,
    connections: operation.connections,
    readsBodies: acceptsBodyUploads(operation),
    recordsTokenUse: operation.scope !== 'public',
    countsCalls: true,
    leasesStreams: operation.streams !== undefined,
    callsEndpoints: operation.callsEndpoints,
    model: operation.model,
    secrets: operation.secrets,
  };
};

/** Has the access of the operations that the route runs. */
export const accessOfRoute = ({ operations, partitions }: SocketRoute): Access => {
  const all = operations.map(accessOf);
  const sends = [...new Set(all.flatMap(each => each.sends ?? []))];
  // An operation without an access does not take that of another.
  const declared = all.map(each => Object.fromEntries(Object.entries(each).filter(([, value]) => value !== undefined)));
  return {
    ...Object.assign({}, ...declared),
    table: 'writes',
    partitions: joined([partitions, ...all.map(each => each.partitions)]),
    sends,
  };
};

/** Functions that search or write an index embed texts. */
export const embedsTexts = ({ index }: Access) => index === 'searches' || index === 'writes';

export const hasSealingKey = ({ secrets, callsEndpoints }: Access) => secrets === 'opens' || callsEndpoints === true;

export const accessOfConsumer = (consumer: Consumer): Access => ({
  ...consumer,
  partitions: joined('reactions' in consumer ? consumer.reactions.map(each => each.partitions) : [consumer.partitions]),
  ...('everyMinutes' in consumer.trigger ? {} : { deadLetters: 'stream' in consumer.trigger ? 'andRedrives' : 'only' }),
});
