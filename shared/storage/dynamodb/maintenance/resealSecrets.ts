import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '#shared/core/environment.ts';
import { documents } from '#shared/storage/dynamodb/engine/client.ts';
import { loadItemValue, storeValue, withoutStoredValue } from '#shared/storage/dynamodb/engine/largeValue.ts';
import { type Item, readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { retryConflicts, type Write, WriteConflict, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { webhookSk } from '#shared/storage/dynamodb/keys/chat.ts';
import type { Key } from '#shared/storage/dynamodb/keys/table.ts';
import { botSk, definitionKey, integrationSk, singleSignOnSk } from '#shared/storage/dynamodb/keys/workspace.ts';
import { isSealedWithCurrentKey, openText, sealText } from '#shared/storage/dynamodb/secrets/sealed.ts';
import { tenantOf } from '#shared/storage/dynamodb/tenants/itemKinds.ts';
import { replaceSecrets } from '#shared/storage/dynamodb/tenants/sealedPlaces.ts';

export interface ResealCounts {
  owners: number;
  secrets: number;
}

/**
 * Re-seals secrets after a rotation, while the platform runs, at a read unit per 4 KB. Writes increment the owner's
 * version, so that concurrent changes conflict.
 * @throws Error for a secret that no key of the ring can open
 */
export async function resealSecrets(onPage: (counts: ResealCounts) => void = () => {}): Promise<ResealCounts> {
  const counts: ResealCounts = { owners: 0, secrets: 0 };
  let next: Item | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await documents.send(
      new ScanCommand({
        TableName: environment.tableName,
        ConsistentRead: true,
        ProjectionExpression: 'pk, sk',
        FilterExpression: 'sk IN (:bot, :integration, :webhook, :singleSignOn)',
        ExpressionAttributeValues: {
          ':bot': botSk,
          ':integration': integrationSk,
          ':webhook': webhookSk,
          ':singleSignOn': singleSignOnSk,
        },
        ExclusiveStartKey: next,
      }),
    );
    for (const { pk, sk } of Items) {
      counts.owners++;
      const field = SINGLE_SECRETS[sk];
      counts.secrets += await retryConflicts(() =>
        field === undefined ? resealOwner({ pk, sk }) : resealField({ pk, sk }, field),
      );
    }
    onPage({ ...counts });
    next = LastEvaluatedKey;
  } while (next);
  return counts;
}

function resealed(kind: string, item: Item): { item: Item; count: number } {
  let count = 0;
  const changed = replaceSecrets(kind, item, (text, place) => {
    if (isSealedWithCurrentKey(text)) return text;
    count++;
    return sealText(openText(text, place), place);
  });
  return { item: changed, count };
}

/** Records with one secret, by their sort key. */
const SINGLE_SECRETS: Record<string, { kind: string; name: string }> = {
  [webhookSk]: { kind: 'webhook', name: 'encryptionKey' },
  [singleSignOnSk]: { kind: 'singleSignOn', name: 'clientSecret' },
};

async function resealField(key: Key, { kind, name }: { kind: string; name: string }): Promise<number> {
  const before = await readItem(key);
  const { item, count } = before ? resealed(kind, before) : { item: undefined, count: 0 };
  if (!before || !item || count === 0) return 0;
  await write([
    {
      update: {
        Key: key,
        UpdateExpression: 'SET #secret = :after',
        ConditionExpression: '#secret = :before',
        ExpressionAttributeNames: { '#secret': name },
        ExpressionAttributeValues: { ':before': before[name], ':after': item[name] },
      },
      onRefused: () => new WriteConflict(),
    },
  ]);
  return count;
}

/** Re-seals a record and its definition. The record is read first, so that a change of the definition conflicts. */
async function resealOwner(key: Key): Promise<number> {
  const before = await readItem(key);
  const stored = before && (await readItem(definitionKey(key.pk)));
  if (!before) return 0;
  const owner = resealed(key.sk, before);
  const parts: Write[] = [ownerWrite(key, before, owner.item)];
  let { count } = owner;
  if (stored) {
    const definition = resealed('definition', {
      ...withoutStoredValue(stored),
      value: await loadItemValue(stored),
    });
    if (definition.count > 0) {
      const { value, ...attributes } = definition.item;
      const Item = { ...attributes, ...definitionKey(key.pk), ...(await storeValue(tenantOf(key.pk), value)) };
      parts.push({ put: { Item }, onRefused: () => new WriteConflict() });
      count += definition.count;
    }
  }
  if (count > 0) await write(parts);
  return count;
}

/** Increments the version, so that concurrent changes conflict. */
function ownerWrite(key: Key, before: Item, { signingSecrets }: Item): Write {
  const version = key.sk === botSk ? 'version' : 'revision';
  return {
    update: {
      Key: key,
      UpdateExpression: 'SET signingSecrets = :signingSecrets ADD #version :one',
      ConditionExpression: '#version = :version',
      ExpressionAttributeNames: { '#version': version },
      ExpressionAttributeValues: { ':signingSecrets': signingSecrets, ':version': before[version], ':one': 1 },
    },
    onRefused: () => new WriteConflict(),
  };
}
