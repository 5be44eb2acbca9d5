/** What a function may do, as its declaration says it. */
import type { Operation } from '#shared/api/operations.ts';
import { takesUploadedBodies } from '#shared/api/platform/fetchBody.ts';
import type { ConsumerAccess } from '#shared/consumers/consumer.ts';

/** What a function may do: part of every operation's and reaction's declaration. */
export interface Access {
  table: 'none' | 'reads' | 'writes';
  /** Values too big for the table. */
  largeValues?: 'reads' | 'writes' | undefined;
  objects?: ConsumerAccess['objects'] | 'readsAssets' | 'writesAssets' | 'signsUploads' | 'readsFiles' | 'writesFiles';
  /** Finds or keeps passages by their meaning. */
  index?: 'searches' | 'writes' | undefined;
  /** Reads bodies that were uploaded before. */
  readsBodies?: boolean;
  /** Keeps when a token was used, and may write nothing else. */
  keepsUse?: boolean;
  /** Puts jobs on these queues. */
  sends?: ConsumerAccess['sends'];
  /** Calls the endpoints of bots and integrations. */
  callsEndpoints?: boolean | undefined;
  /** Asks the language model, if one is configured. */
  model?: boolean;
}

/** The access that an operation's declaration asks for. */
export const accessOf = (operation: Operation): Access => {
  const { table, largeValues } = operation;
  if (operation.api === 'chat') return { table, largeValues };
  return {
    table,
    largeValues,
    objects: operation.objects,
    index: operation.index,
    readsBodies: takesUploadedBodies(operation),
    keepsUse: operation.scope !== 'nowhere',
    callsEndpoints: operation.callsEndpoints,
  };
};
