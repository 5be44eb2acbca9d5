/** Bots with deployed code that replies with the name of its version. */
import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import { environment } from '#shared/core/environment.ts';
import { readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { recurringPk } from '#shared/storage/dynamodb/keys/workspace.ts';
import { s3 } from '#shared/storage/s3/objects.ts';
import { replyingWith } from './deployedCode.ts';
import type { TestBot } from './platform.ts';

export const replying = (reply: string): string => replyingWith(JSON.stringify(reply));

type Definition = Omit<Parameters<TestBot['workspace']['owner']['client']['updateBot']>[0], 'id' | 'code'>;

export const deploy = (bot: TestBot, reply: string, definition: Definition = {}) =>
  bot.workspace.owner.client.updateBot({ id: bot.id, code: replying(reply), ...definition });

interface Version {
  id: string;
  name: string;
  description?: string;
  createdAt: string;
  createdBy: string;
  automatic: boolean;
  active: boolean;
}

/** Returns the versions with Parley's fields, newest first. */
export const versionsOf = async (bot: TestBot): Promise<Version[]> =>
  (await bot.workspace.call('GET', `/bots/${bot.id}/versions`)).body.versions;

export const rollBack = (bot: TestBot, versionId: string) =>
  bot.workspace.call('POST', `/bots/${bot.id}/versions/deploy`, { body: { versionId } });

export const hasRecurringTimer = async (botId: string, name: string): Promise<boolean> =>
  (await readItem({ pk: recurringPk(botId), sk: `due#recurring#${name}` })) !== undefined;

/** Returns the keys of the bot's code objects. */
export async function codeObjects(botId: string): Promise<string[]> {
  const keys: string[] = [];
  const input = { Bucket: environment.bucketName, Prefix: `assets/${botId}/` };
  for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, input)) {
    keys.push(...Contents.map(({ Key }) => Key!));
  }
  return keys;
}
