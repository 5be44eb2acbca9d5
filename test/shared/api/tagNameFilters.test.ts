/** Tests filters by tags with names that objects inherit, in each encoding of a query, for every list. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { platformApi } from '#infra/gateway/apis.ts';
import { apiBaseUrl, call, newBot, type RawAnswer, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

type Tags = Record<string, string>;

interface TaggedList {
  /** Below the API's base URL. */
  path: string;
  parameters?: Record<string, string>;
}

interface ListOfTagged extends TaggedList {
  /** Creates a record. @returns its id */
  create(bot: TestBot, tags: Tags): Promise<string>;
  idsIn(body: RawAnswer['body']): string[];
}

const idsOf = (name: string) => (body: RawAnswer['body']) => body[name].map(({ id }: { id: string }) => id);
const created = (answer: RawAnswer): RawAnswer['body'] => {
  expect(answer).toMatchObject({ status: expect.toBeOneOf([200, 201]) });
  return answer.body;
};

const LISTS: Record<string, ListOfTagged> = {
  listUsers: {
    path: '/v1/chat/users',
    create: async (bot, tags) => created(await bot.call('POST', '/users', { body: { tags } })).user.id,
    idsIn: idsOf('users'),
  },
  listConversations: {
    path: '/v1/chat/conversations',
    create: async (bot, tags) =>
      created(await bot.call('POST', '/conversations', { body: { channel: 'channel', tags } })).conversation.id,
    idsIn: idsOf('conversations'),
  },
  listMessages: {
    path: '/v1/chat/messages',
    create: async (bot, tags) => {
      const { conversation } = await bot.client.createConversation({ channel: 'channel', tags: {} });
      const body = { conversationId: conversation.id, userId: bot.id, type: 'text', payload: { text: 't' }, tags };
      return created(await bot.call('POST', '/messages', { body })).message.id;
    },
    idsIn: idsOf('messages'),
  },
  listWorkflows: {
    path: '/v1/chat/workflows',
    create: async (bot, tags) =>
      created(await bot.call('POST', '/workflows', { body: { name: 'w', status: 'pending', tags } })).workflow.id,
    idsIn: idsOf('workflows'),
  },
  listFiles: {
    path: '/v1/files',
    create: async (bot, tags) =>
      created(await bot.callFiles('PUT', '', { body: { key: randomUUID(), size: 1, tags } })).file.id,
    idsIn: idsOf('files'),
  },
  listKnowledgeBases: {
    path: '/v1/files/knowledge-bases',
    create: async (bot, tags) =>
      created(await bot.callFiles('POST', '/knowledge-bases', { body: { name: randomUUID(), tags } })).knowledgeBase.id,
    idsIn: idsOf('knowledgeBases'),
  },
  listTables: {
    path: '/v1/tables',
    create: async (bot, tags) => {
      const name = `t${randomUUID().replaceAll('-', '').slice(0, 12)}Table`;
      const body = { name, schema: { a: { type: 'string' } }, tags };
      return created(await bot.callTables('POST', '', { body })).table.id;
    },
    idsIn: idsOf('tables'),
  },
  listBots: {
    path: '/v1/admin/bots',
    create: async ({ workspace }, tags) =>
      created(await workspace.call('POST', '/bots', { body: { name: 'b', tags } })).bot.id,
    idsIn: idsOf('bots'),
  },
};

/** Finds only indexed files. */
const SEARCH: TaggedList = { path: '/v1/files/search', parameters: { query: 'text' } };
const ALL: Record<string, TaggedList> = { ...LISTS, searchFiles: SEARCH };

const ENCODINGS: Record<string, (name: string, value: string) => Record<string, string>> = {
  dots: (name, value) => ({ [`tags.${name}`]: value }),
  brackets: (name, value) => ({ [`tags[${name}]`]: value }),
  JSON: (name, value) => ({ tags: `{${JSON.stringify(name)}:${JSON.stringify(value)}}` }),
};

const NAMES = ['constructor', 'toString', 'hasOwnProperty', '0'];

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

function list({ path, parameters = {} }: TaggedList, query: Record<string, string>): Promise<RawAnswer> {
  const isAdmin = path.startsWith('/v1/admin/');
  return call(`${apiBaseUrl()}${path}?${new URLSearchParams({ ...parameters, ...query })}`, {
    token: isAdmin ? bot.workspace.owner.token : bot.tokens.bot,
    ...(isAdmin ? { workspaceId: bot.workspace.id } : { botId: bot.id }),
  });
}

it('covers every operation that filters by tags', () => {
  const filtering = platformApi.operations.filter(({ query }) => query && Object.hasOwn(query.shape, 'tags'));

  expect(filtering.map(({ name }) => name).sort()).toEqual(Object.keys(ALL).sort());
});

describe.each(Object.entries(LISTS))('%s', (_, tagged) => {
  it.each(NAMES)('finds exactly the records with the tag %s', async name => {
    const [value, other] = [randomUUID(), randomUUID()];
    const wanted = await tagged.create(bot, { [name]: value });
    await tagged.create(bot, { [name]: other });
    await tagged.create(bot, { unrelated: value });

    const answers = await Promise.all(Object.values(ENCODINGS).map(encode => list(tagged, encode(name, value))));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.map(({ body }) => tagged.idsIn(body))).toEqual([[wanted], [wanted], [wanted]]);
  });
});

describe.each(Object.entries(ALL))('%s', (_, tagged) => {
  it.each(Object.entries(ENCODINGS))(
    'returns 400 for the tag __proto__, encoded with %s',
    async (_encoding, encode) => {
      const { status, body } = await list(tagged, encode('__proto__', 'b'));

      expect(status).toBe(400);
      expect(body.metadata.issues[0].path).toBe('tags.__proto__');
      expect(body.message).toContain('__proto__');
    },
  );
});
