/** Tests limits on open work: streams and slow calls. */
import { axiosRetry, Client, type RetryConfig } from '@botpress/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hashOfSubject } from '#shared/api/openWorkLeases.ts';
import { SLOW_MS, type Subject } from '#shared/api/openWorkLimits.ts';
import { clock } from '#shared/core/clock.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { findLeases } from '#shared/storage/dynamodb/limits/openWork.ts';
import { installIntegration, type Server, serve } from '#test/support/integration.ts';
import {
  apiBaseUrl,
  call,
  eventually,
  type Installation,
  install,
  isLeftOut,
  newBot,
  newUser,
  useSharedPlatform,
} from '#test/support/platform.ts';
import { inFastTime } from '#test/support/time.ts';

useSharedPlatform();

const MINUTE_MS = 60_000;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  vi.unstubAllEnvs();
});

const limit = (limits: Record<string, number>) =>
  vi.stubEnv(VARIABLES.openWorkLimits, JSON.stringify({ addressStreams: 0, ...limits }));
const LIMITED = { code: 429, type: 'RateLimited' };

/** Opens a stream that the test closes. */
async function open(url: string, key?: string) {
  const gone = new AbortController();
  closing.push(() => gone.abort());
  const response = await fetch(url, { headers: key === undefined ? {} : { 'x-user-key': key }, signal: gone.signal });
  // Keeps the response in memory: `fetch` ends the stream of a response that nothing refers to.
  closing.push(() => response);
  // biome-ignore lint/suspicious/noExplicitAny: an error, whose shape each test asserts
  const body: any = response.ok ? undefined : await response.json();
  return { status: response.status, headers: response.headers, body, close: () => gone.abort() };
}
type Opened = Awaited<ReturnType<typeof open>>;
const statuses = (all: readonly Opened[]) => all.map(({ status }) => status);

const listen = ({ chatUrl }: Installation, id: string, key: string) =>
  open(`${chatUrl}/conversations/${id}/listen`, key);
const initialize = ({ chatUrl }: Installation, key?: string) => open(`${chatUrl}/initialize`, key);

/** Creates a user with several conversations. */
async function userWith(installation: Installation, conversations: number) {
  const user = await newUser(installation);
  const made = Array.from({ length: conversations }, () => user.client.createConversation({}));
  return { ...user, conversations: (await Promise.all(made)).map(({ conversation }) => conversation.id) };
}

describe.skipIf(isLeftOut('stream'))('a limit on open streams', () => {
  it('rejects a flood of listeners with one key, and no other listeners', async () => {
    const installation = await install();
    const [ann, bob] = [await userWith(installation, 3), await userWith(installation, 1)];
    limit({ userStreams: 5 });

    const flood = await Promise.all(
      Array.from({ length: 60 }, (_, i) => listen(installation, ann.conversations[i % 3]!, ann.key)),
    );
    const refused = flood.filter(({ status }) => status === 429);

    expect(flood.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(refused).toHaveLength(55);
    for (const { body, headers } of refused) {
      expect(body).toMatchObject({ ...LIMITED, metadata: { limit: 'userStreams', open: 5 } });
      expect(headers.get('retry-after')).toBe('3');
    }
    expect((await listen(installation, bob.conversations[0]!, bob.key)).status).toBe(200);
    expect((await call(`${installation.chatUrl}/users/me`, { key: ann.key })).status).toBe(200);
  });

  it('rejects a flood of strangers from one address before it creates their users', async () => {
    const bot = await newBot();
    limit({ addressStreams: 4 });

    const flood = await Promise.all(Array.from({ length: 20 }, () => open(`${bot.chatUrl}/initialize`)));

    expect(flood.filter(({ status }) => status === 200)).toHaveLength(4);
    expect(flood.find(({ status }) => status === 429)!.body.metadata.limit).toBe('addressStreams');
    const { body } = await bot.call('GET', '/users');
    expect(body.users).toHaveLength(4);
  });

  it('counts all streams of a conversation', async () => {
    const installation = await install();
    const ann = await userWith(installation, 2);
    const bob = await newUser(installation);
    const [shared, own] = ann.conversations as [string, string];
    await ann.client.addParticipant({ conversationId: shared, userId: bob.user.id });
    limit({ conversationStreams: 2 });

    const opened = [
      await listen(installation, shared, ann.key),
      await listen(installation, shared, bob.key),
      await listen(installation, shared, bob.key),
      await listen(installation, own, ann.key),
    ];

    expect(statuses(opened)).toEqual([200, 200, 429, 200]);
    expect(opened[2]!.body.metadata.limit).toBe('conversationStreams');
  });

  it('counts the streams of a bot separately from other bots', async () => {
    const [flooded, other] = [await install(), await install()];
    limit({ botStreams: 3 });

    const opened = [];
    for (let i = 0; i < 5; i++) opened.push(await initialize(flooded));

    expect(statuses(opened)).toEqual([200, 200, 200, 429, 429]);
    expect((await initialize(other)).status).toBe(200);
  });

  it('creates no lease for a rejected listener', async () => {
    const installation = await install();
    const [ann, bob] = [await userWith(installation, 1), await newUser(installation)];
    limit({ conversationStreams: 1, userStreams: 1 });
    const strangers = await Promise.all(
      Array.from({ length: 5 }, () =>
        open(`${installation.chatUrl}/initialize?conversationId=${ann.conversations[0]}`, bob.key),
      ),
    );

    const opened = await listen(installation, ann.conversations[0]!, ann.key);

    expect(strangers.every(({ status }) => status === 403 || status === 429)).toBe(true);
    expect(opened.status).toBe(200);
  });

  it('is disabled by 0 and by off', async () => {
    const installation = await install();
    const ann = await userWith(installation, 1);
    limit({ userStreams: 0 });
    const lifted = [];
    for (let i = 0; i < 25; i++) lifted.push(await listen(installation, ann.conversations[0]!, ann.key));

    vi.stubEnv(VARIABLES.openWorkLimits, 'off');
    const off = await listen(installation, ann.conversations[0]!, ann.key);

    expect(new Set(statuses([...lifted, off]))).toEqual(new Set([200]));
  });

  it('admits the official listener when another stream ends', async () => {
    const installation = await install();
    const ann = await userWith(installation, 1);
    const [id] = ann.conversations as [string];
    limit({ userStreams: 1 });
    const first = await ann.client.listenConversation({ id });

    await expect(ann.client.listenConversation({ id })).rejects.toMatchObject({ status: 429 });
    await first.disconnect();
    const second = await eventually(() => ann.client.listenConversation({ id }));
    closing.push(() => second.disconnect());

    const heard: unknown[] = [];
    second.on('message_created', ({ payload }) => heard.push(payload));
    await ann.client.createMessage({ conversationId: id, payload: { type: 'text', text: 'still here' } });
    await eventually(async () => expect(heard).toEqual([{ type: 'text', text: 'still here' }]));
  });

  it.skipIf(isLeftOut('clock'))('admits the official listener when it reconnects after its stream ended', async () => {
    const installation = await install();
    const ann = await userWith(installation, 1);
    const [id] = ann.conversations as [string];
    limit({ userStreams: 1, conversationStreams: 1, botStreams: 1 });
    const listener = await ann.client.listenConversation({ id });
    closing.push(() => listener.disconnect());
    const ended = new Promise(resolve => listener.on('error', resolve));

    clock.advance(14 * MINUTE_MS);
    await inFastTime(() => ended);
    await listener.connect();

    expect(listener.status).toBe('connected');
  });
});

/** Retries as the Botpress SDK configures its client, with at least the delay of Retry-After. */
const RETRIES: RetryConfig = {
  retries: 3,
  retryCondition: ({ response }) => [429, 502].includes(response?.status ?? 0),
  retryDelay: axiosRetry.exponentialDelay,
};

/** Starts an endpoint that responds to webhooks and actions on request. */
async function hangingEndpoint() {
  const waiting: (() => void)[] = [];
  let isHanging = true;
  const server: Server = await serve((request, response) => {
    request.resume();
    const answer = () => void response.end('{"output":{}}');
    const operation = request.headers['x-bp-operation'];
    if (isHanging && (operation === 'webhook_received' || operation === 'action_triggered')) waiting.push(answer);
    else answer();
  });
  closing.push(() => server.stop());
  const free = () => {
    isHanging = false;
    for (const answer of waiting.splice(0)) answer();
  };
  return { url: server.url, waiting, free };
}

/** Starts calls of an integration's webhook. */
async function hangingWebhook({ url }: { url: string }) {
  const { workspace, webhookUrl } = await installIntegration({ url });
  return { workspaceId: workspace.id, start: () => fetch(webhookUrl) };
}

/** Starts calls of a bot's action. */
async function hangingAction({ url }: { url: string }) {
  const bot = await newBot();
  await bot.workspace.owner.client.updateBot({ id: bot.id, url });
  return {
    workspaceId: bot.workspace.id,
    start: () => bot.call('POST', '/actions', { body: { type: 'wait', input: {} } }),
  };
}

describe.skipIf(isLeftOut('faults') || isLeftOut('clock'))('a limit on slow calls', () => {
  /** Starts calls that hang, and waits until the subject counts each as slow. */
  async function hang(
    times: number,
    { waiting }: { waiting: readonly unknown[] },
    subject: Subject,
    start: () => Promise<{ status: number }>,
  ) {
    const calls = Array.from({ length: times }, start);
    await eventually(async () => expect(waiting).toHaveLength(times));
    clock.advance(SLOW_MS);
    const term = { nowMs: clock.now(), periodMs: MINUTE_MS };
    await eventually(async () => expect(await findLeases([hashOfSubject(subject)], term)).toEqual([times]));
    return calls;
  }

  it('rejects further webhooks of an integration that hangs, but not of others', async () => {
    const endpoint = await hangingEndpoint();
    const [hanging, other] = [
      await installIntegration({ url: endpoint.url }),
      await installIntegration({ url: endpoint.url }),
    ];
    limit({ integrationCalls: 4 });

    const subject = ['integrationCalls', hanging.integrationId] as const;
    const calls = await hang(4, endpoint, subject, () => fetch(hanging.webhookUrl));
    const refused = await fetch(hanging.webhookUrl);
    const flood = await Promise.all(Array.from({ length: 50 }, () => fetch(hanging.webhookUrl)));
    endpoint.free();

    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ ...LIMITED, metadata: { limit: 'integrationCalls', open: 4 } });
    expect(refused.headers.get('retry-after')).toBe('3');
    expect(new Set(flood.map(({ status }) => status))).toEqual(new Set([429]));
    expect((await fetch(other.webhookUrl)).status).toBe(200);
    for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
    await eventually(async () => expect((await fetch(hanging.webhookUrl)).status).toBe(200));
  });

  it.each(['webhooks', 'actions'])('ends the %s above the limit after two seconds', async kind => {
    const endpoint = await hangingEndpoint();
    const { workspaceId, start } = await (kind === 'webhooks' ? hangingWebhook(endpoint) : hangingAction(endpoint));
    limit({ workspaceCalls: 5, botCalls: 0, integrationCalls: 0 });

    const calls = Array.from({ length: 30 }, start);
    await eventually(async () => expect(endpoint.waiting).toHaveLength(30));
    clock.advance(SLOW_MS);
    const ended: number[] = [];
    for (const call of calls) void call.then(({ status }) => ended.push(status));
    await eventually(async () => expect(ended).toHaveLength(25));
    const subject = hashOfSubject(['workspaceCalls', workspaceId]);
    await eventually(async () =>
      expect(await findLeases([subject], { nowMs: clock.now(), periodMs: MINUTE_MS })).toEqual([5]),
    );
    endpoint.free();

    expect(new Set(ended)).toEqual(new Set([429]));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.filter(status => status === 429)).toHaveLength(25);
    expect(statuses.filter(status => status === 200)).toHaveLength(5);
  });

  it('counts calls from their start while the endpoint hangs', async () => {
    const endpoint = await hangingEndpoint();
    const installed = await installIntegration({ url: endpoint.url });
    limit({ integrationCalls: 6 });
    const subject = ['integrationCalls', installed.integrationId] as const;
    const slow = await hang(2, endpoint, subject, () => fetch(installed.webhookUrl));

    let answered = 0;
    const flood = Array.from({ length: 40 }, () => fetch(installed.webhookUrl).finally(() => answered++));
    await eventually(async () => expect([answered, endpoint.waiting.length]).toEqual([36, 6]));
    endpoint.free();
    const all = await Promise.all([...slow, ...flood]);

    expect(all.filter(({ status }) => status === 429)).toHaveLength(36);
    expect(all.filter(({ status }) => status === 200)).toHaveLength(6);
  });

  it.each(['botCalls', 'workspaceCalls'] as const)(
    'rejects further actions at %s, and the official client recovers',
    async name => {
      const endpoint = await hangingEndpoint();
      const bot = await newBot();
      await bot.workspace.owner.client.updateBot({ id: bot.id, url: endpoint.url });
      limit({ [name]: 2 });
      let refusals = 0;
      const retry: RetryConfig = {
        ...RETRIES,
        onRetry: (_, { response }) => {
          if (response?.status === 429) refusals++;
        },
      };
      const client = new Client({ apiUrl: apiBaseUrl(), token: bot.tokens.bot, botId: bot.id });
      const patient = new Client({ apiUrl: apiBaseUrl(), token: bot.tokens.bot, botId: bot.id, retry });
      const act = (by = client) => by.callAction({ type: 'wait', input: {} }).then(() => ({ status: 200 }));

      const calls = await hang(2, endpoint, [name, name === 'botCalls' ? bot.id : bot.workspace.id], () => act());
      await expect(act()).rejects.toMatchObject({ code: 429, metadata: { limit: name, open: 2 } });
      const repeated = act(patient);
      await eventually(async () => expect(refusals).toBe(1));
      endpoint.free();

      expect(await repeated).toEqual({ status: 200 });
      expect(await Promise.all(calls)).toEqual([{ status: 200 }, { status: 200 }]);
    },
  );
});
