/** An index of installations by the identifier that their integration has set. */
import * as z from 'zod/mini';
import { partitionQuery, queryPage } from '#shared/storage/dynamodb/engine/query.ts';
import { tryWrite } from '#shared/storage/dynamodb/engine/transaction.ts';
import { type IdentifierPlace, identifierKey, identifierPk } from '#shared/storage/dynamodb/keys/identifiers.ts';

const Identified = z.object({ sk: z.string(), indexedAtMs: z.number() });

/** Installations with one identifier that a lookup considers. */
const CONSIDERED = 25;

/** Returns the installations' webhook ids, the most recently identified first. The index is eventually consistent. */
export async function findIdentified(place: IdentifierPlace): Promise<string[]> {
  const { items } = await queryPage({ ...partitionQuery(identifierPk(place)), Limit: CONSIDERED });
  return items
    .map(item => Identified.parse(item))
    .sort((a, b) => b.indexedAtMs - a.indexedAtMs)
    .map(({ sk }) => sk);
}

/** Keeps the time of an indexed installation. */
export const indexIdentifier = (place: IdentifierPlace, webhookId: string, nowMs: number): Promise<boolean> =>
  tryWrite({
    put: {
      Item: { ...identifierKey(place, webhookId), indexedAtMs: nowMs },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  });

export const removeIdentifier = (place: IdentifierPlace, webhookId: string): Promise<boolean> =>
  tryWrite({ remove: { Key: identifierKey(place, webhookId) } });
