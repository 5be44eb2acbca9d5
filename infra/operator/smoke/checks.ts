import { createRequire } from 'node:module';
import { bundleDeployedBot } from '#infra/local/deployedBot.ts';
import { signUserKey } from '#shared/api/chat/userKey.ts';
import { clock } from '#shared/core/clock.ts';
import { startOf } from '#shared/core/excerpt.ts';
import { CheckFailed } from './causes.ts';
import { type ChatBot, createChatBot, createWebhook, type Home } from './smokeTenant.ts';
import type { Step, Steps } from './steps.ts';

// Loads the CommonJS build, because Node cannot load the package's ES module.
const chat: typeof import('@botpress/chat') = createRequire(import.meta.url)('@botpress/chat');

const textOf = (message: { payload: unknown }) => (message.payload as { text?: string }).text;
const text = (value: string) => ({ type: 'text', text: value }) as const;

/** Sends a request without an official client. @throws CheckFailed with the fields of the error response */
async function send(url: string, init: RequestInit, { signal }: Step): Promise<string> {
  const response = await fetch(url, { ...init, signal });
  const body = await response.text();
  if (response.ok) return body;
  const { id, type, message } = body.startsWith('{') ? JSON.parse(body) : {};
  const problem = `${new URL(url).pathname} responded ${response.status}: ${message ?? startOf(body, 200)}`;
  throw Object.assign(new CheckFailed(problem), { status: response.status, id, type });
}

export async function checkPlatform(apiUrl: string, step: Step): Promise<undefined> {
  const body = await send(`${apiUrl}/v1/health`, {}, step);
  if (!body.includes('"ok"')) throw new CheckFailed(`${apiUrl}/v1/health is not Parley's: ${startOf(body, 100)}`);
}

export async function createUser({ chatUrl, encryptionKey }: ChatBot, step: Step): Promise<undefined> {
  const key = signUserKey({ encryptionKey }, { id: 'smoke-user' });
  const headers = { 'x-user-key': key, 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'Ada' });
  const { user } = JSON.parse(await send(`${chatUrl}/users/get-or-create`, { method: 'POST', headers, body }, step));
  if (user.id !== 'smoke-user' || user.name !== 'Ada')
    throw new CheckFailed(`The user smoke-user was not created: ${JSON.stringify(user)}`);
}

export async function converse(bot: ChatBot, { client: admin }: Home): Promise<undefined> {
  const user = await chat.Client.connect({ apiUrl: bot.chatUrl });
  const { conversation } = await user.createConversation({});
  await user.createMessage({ conversationId: conversation.id, payload: text('Hello') });
  const { bots } = await admin.listBots({});
  if (!bots.some(({ id }) => id === bot.id)) throw new CheckFailed(`listBots does not list the bot ${bot.id}.`);
  const { messages } = await bot.client.listMessages({ conversationId: conversation.id });
  if (!messages.some(message => textOf(message) === 'Hello'))
    throw new CheckFailed("The bot does not see the user's message.");
  await reply(bot, conversation.id, 'Hi');
  const { messages: seen } = await user.listMessages({ conversationId: conversation.id });
  if (!seen.some(message => textOf(message) === 'Hi'))
    throw new CheckFailed("The user does not see the bot's message.");
}

const reply = ({ client, id }: ChatBot, conversationId: string, value: string) =>
  client.createMessage({ conversationId, userId: id, type: 'text', payload: { text: value }, tags: {} });

export async function listen(bot: ChatBot, step: Step): Promise<undefined> {
  const user = await chat.Client.connect({ apiUrl: bot.chatUrl });
  const { conversation } = await user.createConversation({});
  step.waitsFor('the stream has not opened');
  const listener = await user.listenConversation({ id: conversation.id });
  try {
    const received = new Promise<void>((resolve, reject) => {
      listener.on('message_created', message => {
        if (textOf(message) === 'Can you hear me?') resolve();
      });
      listener.on('error', reject);
      step.signal.addEventListener('abort', () => resolve());
    });
    await reply(bot, conversation.id, 'Can you hear me?');
    step.waitsFor('the stream has not delivered the message of the bot');
    await received;
  } finally {
    await listener.disconnect();
  }
}

const KEY = 'smoke.txt';
const CONTENT = `The lighthouse keeper of Smoke Island oils the lamp each evening before the ships return to the harbour.`;

export async function upload(bot: ChatBot, step: Step): Promise<{ bot: ChatBot; id: string }> {
  const { file } = await bot.client.uploadFile({ key: KEY, content: CONTENT, contentType: 'text/plain', index: true });
  const { url } = await step.until('the upload is still pending', async () => {
    const { file: shown } = await bot.client.getFile({ id: file.id });
    if (shown.status === 'upload_failed') throw new CheckFailed(`The upload failed: ${shown.failedStatusReason}`);
    return shown.status === 'upload_pending' ? undefined : shown;
  });
  if ((await send(url, {}, step)) !== CONTENT) throw new CheckFailed('The file that was downloaded is another one.');
  return { bot, id: file.id };
}

export async function search({ bot, id }: { bot: ChatBot; id: string }, step: Step): Promise<undefined> {
  await step.until('the file is still being indexed', async () => {
    const { file } = await bot.client.getFile({ id });
    if (file.status === 'indexing_failed') throw new CheckFailed(`Indexing failed: ${file.failedStatusReason}`);
    return file.status === 'indexing_completed' || undefined;
  });
  await step.until('the search does not find the file', async () => {
    const { passages } = await bot.client.searchFiles({ query: 'Who oils the lamp of the lighthouse?' });
    return passages.some(({ content }) => content.includes('lighthouse keeper')) || undefined;
  });
}

export async function writeRows({ client }: ChatBot): Promise<undefined> {
  const properties = { name: { type: 'string' }, age: { type: 'number' } };
  const { table } = await client.createTable({ name: 'SmokeTable', schema: { type: 'object', properties } });
  const people = [
    { name: 'Ada', age: 36 },
    { name: 'Grace', age: 85 },
  ];
  await client.createTableRows({ table: table.name, rows: people });
  const { rows } = await client.findTableRows({ table: table.name, filter: { age: { $gt: 50 } } });
  if (rows.length !== 1 || rows[0]!.name !== 'Grace')
    throw new CheckFailed(`A query for one of two rows found ${rows.length}.`);
}

/** Allows for a difference between this machine's clock and the server's. */
const CLOCK_SKEW_MS = 600_000;

/** Deploys a bot's code and waits for its reply to a message. */
export async function checkDeployedBot(home: Home, steps: Steps, step: Step): Promise<undefined> {
  const timeStart = new Date(clock.now() - CLOCK_SKEW_MS).toISOString();
  const bot = await createChatBot(home, steps, { name: 'Smoke, deployed', code: await bundleDeployedBot() });
  await step.until('the code is still being deployed', async () => {
    const { status, statusReason } = (await home.client.getBot({ id: bot.id })).bot as {
      status?: string;
      statusReason?: string;
    };
    if (status !== 'deploying' && statusReason) throw new CheckFailed(`The code was not deployed: ${statusReason}`);
    return status !== 'deploying' || undefined;
  });
  const user = await chat.Client.connect({ apiUrl: bot.chatUrl });
  const { conversation } = await user.createConversation({});
  await user.createMessage({ conversationId: conversation.id, payload: text('Hello') });
  await step.until('the bot has not replied', async () => {
    const { messages } = await user.listMessages({ conversationId: conversation.id });
    if (messages.some(({ userId }) => userId !== user.user.id)) return true;
    const { logs } = await home.client.getBotLogs({ id: bot.id, timeStart });
    const error = logs.find(({ level }) => level === 'error');
    // Reported now, because the bot is deleted with its log.
    if (error) step.waitsFor(`the bot has not replied. Its log contains: ${error.message}`);
    return undefined;
  });
}

export async function callWebhook(home: Home, steps: Steps, step: Step): Promise<undefined> {
  const url = await createWebhook(home, steps);
  const body = await step.until('the code is still being deployed', () =>
    send(url, { method: 'POST', body: 'ping' }, step).catch(error => {
      if (error.status === 503) return undefined;
      throw error;
    }),
  );
  if (body !== 'received ping') throw new CheckFailed(`The response is not the integration's: ${startOf(body, 100)}`);
}
