/**
 * Section `storm`: the latency of a bystander's messages to their bot and listener during each storm, compared with an
 * idle baseline of the same run.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { newEventId, putNewEvent } from '#shared/storage/dynamodb/chat/events.ts';
import { sendBatches } from '#shared/storage/dynamodb/engine/batch.ts';
import { startEndpoint } from '#test/support/endpoint.ts';
import { listenResuming } from '#test/support/resumingListener.ts';
import { newOwnedWorkspace } from '#test/support/tenants.ts';
import { type Section, times } from './report.ts';
import { quantile } from './statistics.ts';
import type { Listening } from './throughputProcess.ts';
import { VANISHING, vanishing } from './vanishing.ts';

// The packages' ES modules are built for browsers and do not load in Node.
const load = createRequire(import.meta.url);
const chat: typeof import('@botpress/chat') = load('@botpress/chat');
const { Client }: typeof import('@botpress/client') = load('@botpress/client');

const PARTICIPANTS = Number(process.env.BENCH_PARTICIPANTS ?? 1_000);
const MESSAGES = Number(process.env.BENCH_MESSAGES ?? 200);
const BACKLOG = Number(process.env.BENCH_BACKLOG ?? 5_000);
const TIMERS = Number(process.env.BENCH_TIMERS ?? 10_000);
const STORM_MS = 10_000;
const EVERY_MS = 250;
const SAID = Number(process.env.BENCH_SAID ?? 60);
const AT_ONCE = 8;
/** Waits until a storm's work is processed before the next. */
const REST_MS = 5_000;
/** Smaller than the time to set a timer and enqueue its job. */
const LEAD_MS_EACH = 10;
/** Smaller than the time to postpone an event. */
const HELD_MS_EACH = 4;
const AIM = 2;

export async function measure(): Promise<Section> {
  const server: ChildProcess = fork(fileURLToPath(import.meta.resolve('./throughputProcess.ts')), ['platform'], {
    // 5,000 connections of one address.
    env: { ...process.env, [VARIABLES.rateLimits]: 'off' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  try {
    const [{ chatUrl }] = (await once(server, 'message')) as [Listening];
    const bots = { apiUrl: new URL(chatUrl).origin };
    const bystander = await chattingWith(bots.apiUrl);
    // Warms up for the baseline and later storms.
    await bystander.chat(SAID);
    const peace = await bystander.chat(SAID);

    const storms: [string, () => Promise<() => Promise<unknown>>][] = [
      [`${PARTICIPANTS} participants, ${MESSAGES} messages in ${STORM_MS / 1000} s`, () => crowd(bots.apiUrl)],
      [`an endpoint that hangs, ${BACKLOG} events behind it`, () => hanging(bots.apiUrl, 'before')],
      [`the same, ${BACKLOG} events at once meanwhile`, () => hanging(bots.apiUrl, 'meanwhile')],
      [`${TIMERS} timers due at once`, () => timers(bots.apiUrl)],
      [VANISHING, () => disconnected(bots.apiUrl)],
    ];
    const rows = [rowOf('peace', peace, peace)];
    for (const [name, prepare] of storms) {
      const start = await prepare();
      await sleep(REST_MS);
      const storm = start();
      rows.push(rowOf(name, await bystander.chat(SAID), peace));
      await storm;
    }
    return {
      title: 'Storms',
      measures: `A bystander says ${SAID} messages, one every ${EVERY_MS} ms, while other tenants make trouble, on the local platform: from the answer to the bot, and to a listener.`,
      columns: ['meanwhile', 'to the bot, p95 ms', '', 'to the listener, p95 ms', '', 'missed', 'aim', ''],
      rows,
      notes: ['All tenants, their endpoints and listeners, the platform and DynamoDB Local share this machine.'],
    };
  } finally {
    server.kill();
  }
}

interface Heard {
  toBotMs: number[];
  toListenerMs: number[];
  missed: number;
}

function rowOf(name: string, heard: Heard, peace: Heard): string[] {
  const [bot, listener] = [quantile(heard.toBotMs, 0.95), quantile(heard.toListenerMs, 0.95)];
  const ratios = [bot / quantile(peace.toBotMs, 0.95), listener / quantile(peace.toListenerMs, 0.95)] as const;
  const isMet = heard.missed === 0 && ratios.every(ratio => ratio <= AIM);
  return [
    name,
    bot.toFixed(0),
    times(ratios[0]),
    listener.toFixed(0),
    times(ratios[1]),
    String(heard.missed),
    `≤ ${times(AIM)}`,
    isMet ? 'met' : 'MISSED',
  ];
}

async function newBot(apiUrl: string, url?: string) {
  const { workspaceId, token } = await newOwnedWorkspace('Storm');
  const owner = new Client({ apiUrl, token, workspaceId });
  const { integration } = await owner.createIntegration({ name: 'chat', version: '1.0.0' });
  const { bot } = await owner.createBot({ name: 'Bot' });
  const installed = await owner.updateBot({
    id: bot.id,
    ...(url === undefined ? {} : { url }),
    integrations: { chat: { integrationId: integration.id, enabled: true, configuration: {} } },
  });
  const key = await owner.createBotApiKey({ botId: bot.id });
  return {
    id: bot.id,
    client: new Client({ apiUrl, token: key.value, botId: bot.id }),
    chatUrl: `${apiUrl}/chat/${installed.bot.integrations.chat!.webhookId}`,
  };
}

async function newUser(chatUrl: string) {
  const { key } = await new chat.Client({ apiUrl: chatUrl }).createUser({});
  return { key, user: await chat.Client.connect({ apiUrl: chatUrl, userKey: key }) };
}

/** Creates the bystander: a bot, a user who sends it messages, and a listener. */
async function chattingWith(apiUrl: string) {
  const [atBot, atListener] = [new Map<string, number>(), new Map<string, number>()];
  const endpoint = await startEndpoint(({ operation, body }, response) => {
    if (operation === 'event_received') atBot.set(body.event.messageId, performance.now());
    response.end('{}');
  });
  const bot = await newBot(apiUrl, endpoint.url);
  const { key, user } = await newUser(bot.chatUrl);
  const { conversation } = await user.createConversation({});
  const listener = await listenResuming({ chatUrl: () => bot.chatUrl, key }, conversation.id);

  const say = async (times: number): Promise<Heard> => {
    const saidMs = new Map<string, number>();
    const startMs = performance.now();
    await Promise.all(
      Array.from({ length: times }, async (_, i) => {
        await sleep(Math.max(0, startMs + i * EVERY_MS - performance.now()));
        const text = randomUUID();
        const received = listener.received(text);
        const payload = { type: 'text' as const, text };
        const { message } = await user.createMessage({ conversationId: conversation.id, payload });
        saidMs.set(message.id, performance.now());
        void received.then(ms => atListener.set(message.id, ms));
      }),
    );
    const ids = [...saidMs.keys()];
    const isMissing = (id: string) => !atBot.has(id) || !atListener.has(id);
    for (let waited = 0; waited < 300 && ids.some(isMissing); waited++) await sleep(100);
    // A signal that precedes the response counts as immediate.
    const tookMs = (at: Map<string, number>) =>
      ids.flatMap(id => (at.has(id) ? [Math.max(1, at.get(id)! - saidMs.get(id)!)] : []));
    return { toBotMs: tookMs(atBot), toListenerMs: tookMs(atListener), missed: ids.filter(isMissing).length };
  };
  return { chat: say };
}

/** Sends messages in one of many busy conversations. */
async function crowd(apiUrl: string) {
  const bot = await newBot(apiUrl);
  const { user } = await newUser(bot.chatUrl);
  const { conversation } = await user.createConversation({});
  await mapConcurrently(Array.from({ length: PARTICIPANTS - 1 }), AT_ONCE, async () => {
    const { user: other } = await bot.client.createUser({ tags: {} });
    await bot.client.addParticipant({ id: conversation.id, userId: other.id });
  });
  return () =>
    Promise.all(
      Array.from({ length: MESSAGES }, async (_, i) => {
        await sleep((i * STORM_MS) / MESSAGES);
        const payload = { type: 'text' as const, text: String(i) };
        await user.createMessage({ conversationId: conversation.id, payload });
      }),
    );
}

async function disconnected(apiUrl: string) {
  const { chatUrl } = await newBot(apiUrl);
  const { key, user } = await newUser(chatUrl);
  return vanishing({
    chatUrl,
    key,
    newConversation: async () => (await user.createConversation({})).conversation.id,
    say: (conversationId, text) => user.createMessage({ conversationId, payload: { type: 'text', text } }),
  });
}

/** Delivers events to a hanging endpoint: a backlog, or as many concurrent new ones. */
async function hanging(apiUrl: string, when: 'before' | 'meanwhile') {
  const endpoint = await startEndpoint(({ operation }, response) => {
    if (operation !== 'event_received') response.end('{}');
  });
  const bot = await newBot(apiUrl, endpoint.url);
  if (when === 'meanwhile') return () => putEvents(bot.id, BACKLOG);
  await putEvents(bot.id, BACKLOG);
  await sleep(BACKLOG * HELD_MS_EACH);
  return async () => {};
}

/** Schedules many timers of one bot for the same moment, while the bystander sends messages. */
async function timers(apiUrl: string) {
  const bot = await newBot(apiUrl);
  const dueMs = Date.now() + TIMERS * LEAD_MS_EACH;
  await putEvents(bot.id, TIMERS, dueMs);
  await sleep(Math.max(0, dueMs - REST_MS - Date.now()));
  return async () => {};
}

/**
 * Writes events directly, because API calls would add load.
 * @param dueMs due time of scheduled events
 */
async function putEvents(botId: string, count: number, dueMs?: number): Promise<void> {
  const items = Array.from({ length: count }, (_, i) => {
    const status = dueMs === undefined ? ('pending' as const) : ('scheduled' as const);
    const p = JSON.stringify({ i });
    return putNewEvent(botId, { id: newEventId({}), type: 'storm', status, p, n: p.length }, dueMs);
  });
  await sendBatches(items.flat().flatMap(part => ('put' in part ? [{ PutRequest: { Item: part.put.Item } }] : [])));
}
