/** Creates users, and reads the entries by which they are found. */
import { partitionQuery, queryAll } from '#shared/storage/dynamodb/engine/query.ts';
import { splitUserTermSk, userTermsPks } from '#shared/storage/dynamodb/keys/userTerms.ts';
import type { TestBot } from './platform.ts';

interface UserFields {
  name?: string;
  tags?: Record<string, string>;
  attributes?: Record<string, string>;
  properties?: Record<string, string>;
}

export const newUser = async ({ client }: TestBot, fields: UserFields): Promise<string> =>
  (await client.createUser({ tags: {}, ...fields })).user.id;

/** Returns the terms by which a user is found, sorted. */
export async function termsOf({ id: botId }: TestBot, userId: string): Promise<string[]> {
  const terms: string[] = [];
  for (const pk of userTermsPks(botId)) {
    for await (const { sk } of queryAll({ ...partitionQuery(pk), ConsistentRead: true })) {
      const entry = splitUserTermSk(sk);
      if (entry.userId === userId) terms.push(entry.term);
    }
  }
  return terms.sort();
}
