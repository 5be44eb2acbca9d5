/**
 * Sends malformed ids to every operation in path, query and body. Roles restrict partitions by pattern, so IAM would
 * deny a malformed key and cause a 500. The local platform denies the same keys (`infra/local/services/tableGuard.ts`).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chatApi, platformApi } from '#infra/gateway/apis.ts';
import { rejections } from '#infra/local/services/tableGuard.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import { apiBaseUrl, call, install, newBot, newUser, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { ADMIN_REQUESTS, type AdminOperation } from '#test/support/requests/admin.ts';
import { BOT_CHAT_REQUESTS, type BotChatOperation } from '#test/support/requests/botChat.ts';
import { CHAT_REQUESTS, type ChatOperationName } from '#test/support/requests/chat.ts';
import { FILES_REQUESTS, type FilesOperation } from '#test/support/requests/files.ts';
import { TABLES_REQUESTS, type TablesOperation } from '#test/support/requests/tables.ts';
import { sampled } from '#test/support/tier.ts';

useSharedPlatform();
// Some of these ids form a key of another domain, which the role denies.
afterAll(() => void rejections.splice(0));

interface Request {
  path: string;
  body?: unknown;
}

/** An unknown name, a key instead of an id, and an id with a suffix. */
const MALFORMED = ['nothing', 'a#workspace', 'table_#bot', 'convo_0'];

const ID = /(?:[a-z]+_[0-9A-Za-z]{20,}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/g;

/** Returns texts that differ from the given one by a single id. */
const eachIdReplaced = (text: string, id: string): string[] =>
  [...text.matchAll(ID)].map(({ 0: found, index }) => text.slice(0, index) + id + text.slice(index + found.length));

/** Returns the request with malformed ids: all in the path, or one in its query or body. */
function malformed({ path, body }: Request, operation: Operation, id: string): Request[] {
  const [given = '', query = ''] = path.split('?');
  const declared = operation.path.split('/');
  // The path of a group may omit a prefix.
  const segments = given.split('/');
  const offset = declared.length - segments.length;
  const changedPath = segments
    .map((segment, i) => (declared[i + offset]?.startsWith('{') ? encodeURIComponent(id) : segment))
    .join('/');
  return [
    ...(changedPath === given ? [] : [{ path: query ? `${changedPath}?${query}` : changedPath, body }]),
    ...eachIdReplaced(query, encodeURIComponent(id)).map(changed => ({ path: `${given}?${changed}`, body })),
    ...eachIdReplaced(JSON.stringify(body ?? null), id).map(changed => ({ path, body: JSON.parse(changed) })),
  ];
}

let bot: TestBot;

beforeAll(async () => {
  bot = await newBot();
});

let operations = 0;

/** Sends each malformed form of a request. @returns those that caused a 5xx */
async function failures(
  operation: Operation,
  make: () => Promise<Request> | Request,
  send: (request: Request) => Promise<{ status: number; body: unknown }>,
): Promise<unknown[]> {
  const failed: unknown[] = [];
  // `npm test` sends one of them per operation.
  for (const id of sampled(MALFORMED, MALFORMED.length, operations++)) {
    for (const request of malformed(await make(), operation, id)) {
      const { status, body } = await send(request);
      if (status >= 500) failed.push({ ...request, status, answer: body });
    }
  }
  return failed;
}

const inGroup = (group: string): Operation[] =>
  platformApi.operations.filter(each => each.group === group && each.name !== 'readPublicContent');

describe('a malformed id', () => {
  it.each(inGroup('admin').map(each => [each.name, each] as const))(
    'returns 4xx for admin %s',
    async (name, operation) => {
      const { workspace, id: botId, integrationId } = bot;
      const { client } = workspace.owner;
      const make = () => ADMIN_REQUESTS[name as AdminOperation]({ workspace, client, botId, integrationId });
      // The workspace cannot be deleted, because all its ids are malformed.
      const send = ({ path, body }: Request) => workspace.call(operation.method, path, { body });

      expect(await failures(operation, make, send)).toEqual([]);
    },
  );

  it.each(inGroup('botChat').map(each => [each.name, each] as const))(
    'returns 4xx for botChat %s',
    async (name, operation) => {
      const make = () => BOT_CHAT_REQUESTS[name as BotChatOperation]({ botId: bot.id, client: bot.client });
      const send = ({ path, body }: Request) => bot.call(operation.method, path, { body });

      expect(await failures(operation, make, send)).toEqual([]);
    },
  );

  it.each(inGroup('files').map(each => [each.name, each] as const))(
    'returns 4xx for files %s',
    async (name, operation) => {
      const make = () => FILES_REQUESTS[name as FilesOperation]({ client: bot.client });
      const send = ({ path, body }: Request) => bot.callFiles(operation.method, path, { body });

      expect(await failures(operation, make, send)).toEqual([]);
    },
  );

  it.each(inGroup('tables').map(each => [each.name, each] as const))(
    'returns 4xx for tables %s',
    async (name, operation) => {
      const make = () => TABLES_REQUESTS[name as TablesOperation]({ client: bot.client });
      const send = ({ path, body }: Request) => bot.callTables(operation.method, path, { body });

      expect(await failures(operation, make, send)).toEqual([]);
    },
  );

  it.each(MALFORMED)('causes no 5xx in filters and references of botChat: %s', async id => {
    const { conversation } = await bot.client.createConversation({ channel: 'channel', tags: {} });
    const { user } = await bot.client.createUser({ tags: {} });
    const said = { conversationId: conversation.id, userId: user.id, type: 'text', payload: {}, tags: {} };
    const filter = encodeURIComponent(id);
    const gets = [
      ...['conversationId', 'userId', 'parentWorkflowId'].map(name => `/workflows?${name}=${filter}`),
      ...['conversationId', 'userId', 'messageId', 'workflowId'].map(name => `/events?${name}=${filter}`),
      ...[`/conversations?participantIds=${filter}`, `/users?conversationId=${filter}`],
      ...[`/messages?conversationId=${filter}`],
    ];
    const references = ['conversationId', 'userId', 'messageId', 'workflowId'].map(name => ({ [name]: id }));

    const answers = [
      ...(await Promise.all(gets.map(path => bot.call('GET', path)))),
      ...(await Promise.all(
        references.map(each => bot.call('POST', '/events', { body: { type: 'a', payload: {}, ...each } })),
      )),
      ...(await Promise.all(
        [{ userId: id }, { conversationId: id }].map(each =>
          bot.call('POST', '/messages', { body: { ...said, ...each } }),
        ),
      )),
      ...(await Promise.all(
        [{ userId: id }, { conversationId: id }, { parentWorkflowId: id }].map(each =>
          bot.call('POST', '/workflows', { body: { name: 'w', input: {}, status: 'pending', ...each } }),
        ),
      )),
    ];

    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  });

  it('returns 4xx for every operation of chat', async () => {
    const installation = await install();
    const [{ user, key }, other] = await Promise.all([newUser(installation), newUser(installation)]);
    const records = {
      ...{ conversation: `convo_${'0'.repeat(22)}`, participant: user.id, bystander: other.user.id },
      ...{ message: `msg_${'0'.repeat(32)}`, event: `evt_${'0'.repeat(32)}` },
    };
    const send = (operation: Operation) => (request: Request) =>
      call(`${installation.chatUrl}${request.path}`, { method: operation.method, key, body: request.body });

    for (const operation of chatApi.operations.filter(each => !each.streams && each.name !== 'deleteUser')) {
      const make = () => CHAT_REQUESTS[operation.name as ChatOperationName](records);
      expect(await failures(operation, make, send(operation)), operation.name).toEqual([]);
    }
  });

  it.each(['nothing', 'a#workspace', `${'0'.repeat(36)}`])(
    'returns 4xx for the headers x-workspace-id and x-bot-id: %s',
    async id => {
      const { token } = bot.workspace.owner;
      const urls = ['/v1/admin/bots', '/v1/admin/workspace-members/me', '/v1/chat/users', '/v1/files', '/v1/tables'];

      for (const url of urls) {
        const answer = await call(`${apiBaseUrl()}${url}`, { token, workspaceId: id, botId: id });
        expect(answer.status, url).toBeGreaterThanOrEqual(400);
        expect(answer.status, url).toBeLessThan(500);
      }
    },
  );
});
