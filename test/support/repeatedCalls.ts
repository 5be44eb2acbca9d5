/** Creates tenants and requests for tests that kill functions or fail the services behind them. */
import { headersOf } from '#infra/gateway/reference/referenceDocument.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import { call, newBot, type RawAnswer, type TestBot } from './platform.ts';
import type { ReadyRequest } from './requests/everyOperation.ts';

/** Creates a bot in a separate workspace whose chat users upload files. */
export async function newTenant(): Promise<TestBot> {
  const bot = await newBot();
  const integrations = { chat: { configuration: { fileUploads: true } } };
  await bot.workspace.owner.client.updateBot({ id: bot.id, integrations });
  return bot;
}

/** Retries as a client does, with the same key if the operation supports one. */
export const send = (operation: Operation, { url, headers, body }: ReadyRequest, key: string): Promise<RawAnswer> => {
  const takesKey = headersOf(operation).some(({ name }) => name === 'Idempotency-Key');
  return call(url, {
    method: operation.method,
    headers: { ...headers, ...(takesKey ? { 'idempotency-key': key } : {}) },
    body,
  });
};
