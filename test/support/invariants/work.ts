/**
 * Checks that all work is done: files and jobs are final, events delivered, nothing is pending, and every object has a
 * record.
 */
import { archiveObject } from '#shared/storage/s3/prefixes.ts';
import { type Dump, type Item, keyText, tenantOf } from './dump.ts';

export function workFaults({ select, at, items, objects }: Dump): string[] {
  const faults: string[] = [];
  const refuse = (text: string, some: readonly Item[]) => faults.push(...some.map(item => `${text}: ${keyText(item)}`));

  refuse(
    'A file that is not final',
    select(/#file_/, /^file$/).filter(({ status }) => /_pending$/.test(status)),
  );
  refuse(
    'A job that is not finished',
    select(/#table_/, /^job#/).filter(({ status }) => !/^(completed|failed)$/.test(status)),
  );
  refuse('A paused conversation', select(/#held$/, /./));
  refuse('A resuming job that nobody runs', select(/#endpoint/, /^drain#/));
  faults.push(
    ...select(/#parked$/, /^parked#/).map(
      item => `${item.task} is a dead letter of ${item.consumer}: ${item.error} ${keyText(item)}`,
    ),
  );
  const isDelivered = (item: Item) => {
    const bot = at(`${tenantOf(item)}#bot`, 'bot');
    return item.status !== 'pending' || !bot?.url;
  };
  refuse(
    'An event that is not delivered',
    select(/#convo_/, /^(event|out)#/).filter(item => !isDelivered(item)),
  );
  refuse('A stage of an object', select(/^staged#/, /./));

  const text = items.map(item => JSON.stringify(item)).join('\n');
  // Lifecycle rules of the bucket expire uploads, bodies and archives, with or without a record; an accepted upload is
  // copied first.
  const kept = objects.filter(key => !/^(uploads|bodies|exports)\//.test(key));
  faults.push(...kept.filter(key => !text.includes(key)).map(key => `An object without its record: ${key}`));
  const there = new Set(objects);
  // Stored responses also contain URLs of uploads.
  const records = items.filter(({ pk }) => !pk.includes('#once#')).map(item => JSON.stringify(item));
  const named = [
    ...(records.join('\n').match(/(?:values|files|assets)\/[^"\\]+/g) ?? []),
    ...select(/#transfers$/, /^export#/)
      .filter(({ status }) => status === 'completed')
      .map(({ workspaceId, id }) => archiveObject(workspaceId, id)),
  ];
  faults.push(...[...new Set(named)].filter(key => !there.has(key)).map(key => `A record without its object: ${key}`));
  return faults;
}
