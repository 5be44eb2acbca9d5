/** Tests that new code becomes a function, is pinged, and takes calls. */
import { CreateFunctionCommand, GetFunctionCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { callCode } from '#shared/outbound/code/callCode.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { listTokens } from '#shared/storage/dynamodb/workspace/tokens.ts';
import { eventually, newBot, newUser, settled, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { inFastTime } from '#test/support/time.ts';

useSharedPlatform();

/** A bundle in the CLI's form: CommonJS with a handler. */
const bundle = (handler: string, before = '') => `${before}
exports.handler = async request => { ${handler} };`;

const deploy = (bot: TestBot, code: string) => bot.workspace.owner.client.updateBot({ id: bot.id, code });

async function running(bot: TestBot) {
  return await eventually(async () => {
    const { rollout, running } = (await findBot(bot.id))!;
    expect(rollout?.failure).toBeUndefined();
    expect(running?.revision).toBe(rollout!.revision);
    return running!;
  });
}

const logOf = async ({ id, workspace }: TestBot) =>
  (await workspace.owner.client.getBotLogs({ id, timeStart: new Date(clock.now() - 60_000).toISOString() })).logs;

const answered = (name: string, message: string, status: number) =>
  Object.assign(new Error(message), {
    name,
    $fault: status < 500 ? ('client' as const) : ('server' as const),
    $metadata: { httpStatusCode: status },
  });

/** Fails calls of CreateFunction. Returns how many failed. */
function failCreateFunction(error: Error, times = Number.POSITIVE_INFINITY): () => number {
  let failed = 0;
  const send: (...given: never[]) => Promise<unknown> = LambdaClient.prototype.send;
  const spy = vi.spyOn(LambdaClient.prototype, 'send').mockImplementation(function (
    this: LambdaClient,
    command: unknown,
    ...rest: unknown[]
  ) {
    if (command instanceof CreateFunctionCommand && failed < times) {
      failed++;
      return Promise.reject(error);
    }
    return send.call(this, ...([command, ...rest] as never[]));
  } as never);
  onTestFinished(() => spy.mockRestore());
  return () => failed;
}

describe('a deployment', () => {
  it('receives calls once updateBot returns, after the code responded to a ping', async () => {
    const bot = await newBot();

    const { bot: answered } = await deploy(
      bot,
      bundle('return { status: 200, body: JSON.stringify({ got: request.body }) }'),
    );

    expect(answered.status).toBe('active');
    const { running: deployed, rollout } = (await findBot(bot.id))!;
    expect(deployed!.revision).toBe(rollout!.revision);

    const outcome = await callCode({ kind: 'bot', id: bot.id }, deployed!, { headers: { a: 'b' }, body: 'hello' });
    expect(outcome).toMatchObject({ kind: 'answered', status: 200, text: '{"got":"hello"}' });
  });

  it('tags the function with its stack, workspace and bot, and with the tags of the operator', async () => {
    vi.stubEnv(VARIABLES.codeTags, '{"parley:stack":"Parley","CostCenter":"1234"}');
    onTestFinished(() => void vi.unstubAllEnvs());
    const bot = await newBot();

    await deploy(bot, bundle('return {}'));

    const { functionName: FunctionName } = await running(bot);
    const { Tags } = await new LambdaClient({}).send(new GetFunctionCommand({ FunctionName }));
    expect(Tags).toEqual({
      'parley:stack': 'Parley',
      'parley:workspace': bot.workspace.id,
      'parley:bot': bot.id,
      CostCenter: '1234',
    });
  });

  it('answers the message after updateBot with the new code', async () => {
    const bot = await newBot();
    const release = (name: string) =>
      deploy(
        bot,
        bundle(`
          const { event } = JSON.parse(request.body);
          if (event) console.log(event.payload.message.payload.text + ' by ${name}');
          return {};`),
      );
    await release('former');
    const { client } = await newUser(bot);
    const { conversation } = await client.createConversation({});
    const say = (text: string) =>
      client.createMessage({ conversationId: conversation.id, payload: { type: 'text', text } });
    await say('first');
    await settled();

    for (const name of ['second', 'third']) {
      await release(name);
      await say(name);
    }
    await settled();

    const messages = (await logOf(bot)).map(({ message }) => message).filter(message => message.includes(' by '));
    expect(messages).toEqual(['first by former', 'second by second', 'third by third']);
  });

  it('is still deploying in the response after 25 seconds', async () => {
    const bot = await newBot();
    const slow = `exports.handler = () => new Promise(resolve => setTimeout(resolve, 60_000, {}));`;

    const { bot: answered } = await inFastTime(() => deploy(bot, slow));

    expect(answered.status).toBe('deploying');
  });

  it('returns its failure in the response of updateBot', async () => {
    const bot = await newBot();

    const { bot: answered } = await deploy(bot, 'throw new Error("no good")');

    expect(answered).toMatchObject({ status: 'active', statusReason: expect.stringContaining('no good') });
  });

  it('has only its own environment', async () => {
    const bot = await newBot();
    await bot.workspace.owner.client.updateBot({ id: bot.id, secrets: { apiKey: 'xyzzy', OTHER_KEY: '2' } });
    await deploy(bot, bundle('return { body: JSON.stringify(process.env) }'));
    const deployed = await running(bot);

    const outcome = await callCode({ kind: 'bot', id: bot.id }, deployed, { headers: {}, body: '' });
    const variables = JSON.parse((outcome as { text: string }).text);
    expect(
      Object.keys(variables)
        .filter(name => name !== 'NODE_CHANNEL_FD' && !name.startsWith('NODE_CHANNEL'))
        .sort(),
    ).toEqual([
      'BP_API_URL',
      'BP_BOT_ID',
      'BP_LOG_FORMAT',
      'BP_TOKEN',
      'BP_WEBHOOK_URL',
      'BP_WORKSPACE_ID',
      'NODE_ENV',
      'SECRET_API_KEY',
      'SECRET_OTHER_KEY',
    ]);
    expect(variables).toMatchObject({ BP_BOT_ID: bot.id, SECRET_API_KEY: 'xyzzy' });
    // The key is the bot's.
    const { users } = await bot.clientOf(variables.BP_TOKEN).listUsers({});
    expect(users).toEqual([]);
  });

  it.each([
    ['throws while it is loaded', 'throw new Error("no good")', /could not be loaded.*no good/],
    ['has no handler', 'exports.x = 1', /no function "handler"/],
    ['refuses a ping', bundle('return { status: 500, body: "broken" }'), /ping with status 500: broken/],
    ['ends its process', 'process.exit(3)', /exited its process \(exit status 3\)/],
  ])(
    'receives no calls if its code %s: the previous code stays, and the log contains the reason',
    async (_, code, reason) => {
      const bot = await newBot();
      await deploy(bot, bundle('return { body: "former" }'));
      const former = await running(bot);

      await deploy(bot, code);
      await eventually(async () => expect((await findBot(bot.id))!.rollout!.failure).toMatch(reason));

      expect((await findBot(bot.id))!.running).toEqual(former);
      expect(await callCode({ kind: 'bot', id: bot.id }, former, { headers: {}, body: '' })).toMatchObject({
        text: 'former',
      });
      expect((await logOf(bot)).at(-1)).toMatchObject({ level: 'error', message: expect.stringMatching(reason) });
      const { bot: shown } = await bot.workspace.owner.client.getBot({ id: bot.id });
      expect(shown).toMatchObject({ status: 'active', statusReason: expect.stringMatching(reason) });
      // The key of the failed code was deleted.
      await eventually(async () => {
        const keys = (await listTokens('bak', bot.id)).filter(({ deployment }) => deployment !== undefined);
        expect(keys.map(({ deployment }) => deployment)).toEqual([former.revision]);
      });
    },
  );

  /** Errors of Lambda that the local platform does not produce, as the SDK throws them. */
  it.each<[string, Error]>([
    ['the account stores too much code', answered('CodeStorageExceededException', 'Code storage limit exceeded.', 400)],
    ['a policy of the organization denies it', answered('AccessDeniedException', 'with an explicit deny', 403)],
    ['its key cannot be used', answered('KMSAccessDeniedException', 'Lambda was unable to decrypt', 502)],
    ['an environment is too large', answered('InvalidParameterValueException', 'at most 4KB', 400)],
    ['a newer error is the client’s', answered('SomeFutureException', 'not in this Region', 400)],
  ])('fails at once, with the reason in its status and log, when %s', async (_, error) => {
    const bot = await newBot();
    const refused = failCreateFunction(error);

    const { bot: shown } = await deploy(bot, bundle('return {}'));

    expect(refused()).toBe(1);
    expect(shown).toMatchObject({ status: 'active', statusReason: expect.stringContaining(error.message) });
    expect((await logOf(bot)).at(-1)).toMatchObject({
      level: 'error',
      message: expect.stringContaining(error.message),
    });
  });

  it.each<[string, Error]>([
    ['Lambda throttles', answered('TooManyRequestsException', 'Rate exceeded', 429)],
    ['Lambda fails', answered('ServiceException', 'Service failure', 500)],
    ['a concurrent change is in progress', answered('ResourceConflictException', 'in progress', 409)],
  ])('succeeds in a later attempt when %s', async (_, error) => {
    const bot = await newBot();
    const refused = failCreateFunction(error, 1);

    await inFastTime(() => deploy(bot, bundle('return {}')));

    expect(await running(bot)).toBeDefined();
    expect(refused()).toBe(1);
  });

  it('fails with the last error when no attempt succeeds', async () => {
    const bot = await newBot();
    failCreateFunction(answered('ServiceException', 'Service failure', 500));

    await inFastTime(() => deploy(bot, bundle('return {}')));
    await inFastTime(() =>
      eventually(async () =>
        expect((await findBot(bot.id))!.rollout!.failure).toMatch(/several attempts.*Service failure/),
      ),
    );

    const { bot: shown } = await bot.workspace.owner.client.getBot({ id: bot.id });
    expect(shown).toMatchObject({ status: 'active', statusReason: expect.stringContaining('Service failure') });
  });

  it('receives no calls when a later deployment runs concurrently', async () => {
    const bot = await newBot();
    await Promise.all([
      deploy(bot, bundle('return { body: "1" }')),
      deploy(bot, bundle('return { body: "2" }')),
      deploy(bot, bundle('return { body: "3" }')),
    ]);

    const deployed = await running(bot);
    const { text } = (await callCode({ kind: 'bot', id: bot.id }, deployed, { headers: {}, body: '' })) as {
      text: string;
    };
    await eventually(async () => expect((await running(bot)).revision).toBe(deployed.revision));
    expect(['1', '2', '3']).toContain(text);
  });
});

describe("the code's output", () => {
  it('is logged with its level and event', async () => {
    const bot = await newBot();
    await deploy(
      bot,
      bundle(`
        console.log('plain', { a: 1 }); console.error('bad');
        console.info(JSON.stringify({ msg: 'from the SDK', options: { conversationId: 'convo_1' } }));
        return {};`),
    );
    await callCode({ kind: 'bot', id: bot.id }, await running(bot), { headers: {}, body: '' }, { about: 'evt_1' });

    // The code is also called to register after it takes calls, possibly after this call.
    const ofCall = (line: object) => 'eventId' in line && line.eventId === 'evt_1';
    expect((await logOf(bot)).filter(ofCall)).toMatchObject([
      { level: 'info', message: 'plain { a: 1 }' },
      { level: 'error', message: 'bad' },
      { level: 'info', message: 'from the SDK', conversationId: 'convo_1' },
    ]);
  });

  it('is limited to 100 lines per call, and the log states the number of dropped lines', async () => {
    const bot = await newBot();
    await deploy(bot, bundle('if (request.body === "go") for (let i = 0; i < 10_000; i++) console.log(i); return {};'));
    await callCode({ kind: 'bot', id: bot.id }, await running(bot), { headers: {}, body: 'go' });

    const lines = await eventually(async () => {
      const { client } = bot.workspace.owner;
      const timeStart = new Date(clock.now() - 60_000).toISOString();
      const first = await client.getBotLogs({ id: bot.id, timeStart });
      // Without a token, the second call would repeat the first.
      expect(first.nextToken).toBeDefined();
      const second = await client.getBotLogs({ id: bot.id, timeStart, nextToken: first.nextToken });
      const all = [...first.logs, ...second.logs];
      // Lines are stored in batches.
      expect(all.some(({ message }) => /were dropped/.test(message))).toBe(true);
      return all;
    });
    expect(lines.filter(({ message }) => /^\d+$/.test(message))).toHaveLength(100);
    expect(lines.at(-1)!.message).toBe('9900 more lines were dropped: the log keeps 100 per call and 20 per second.');
  });
});

describe('code that prints without end', () => {
  it('is limited to a burst of 300 lines and 20 per second', async () => {
    const bot = await newBot();
    await deploy(
      bot,
      bundle('if (request.body === "go") for (let i = 0; i < 100; i++) console.log("flood"); return {};'),
    );
    const deployed = await running(bot);
    const startMs = clock.now();

    for (let i = 0; i < 10; i++) await callCode({ kind: 'bot', id: bot.id }, deployed, { headers: {}, body: 'go' });

    const most = 300 + 20 * Math.ceil((clock.now() - startMs) / 1000);
    const { client } = bot.workspace.owner;
    const flood = await eventually(async () => {
      let [lines, nextToken]: [number, string | undefined] = [0, undefined];
      do {
        const timeStart = new Date(startMs - 1_000).toISOString();
        const page = await client.getBotLogs({ id: bot.id, timeStart, ...(nextToken ? { nextToken } : {}) });
        lines += page.logs.filter(({ message }) => message === 'flood').length;
        ({ nextToken } = page);
      } while (nextToken);
      // Lines are stored in batches.
      expect(lines).toBeGreaterThanOrEqual(300);
      return lines;
    });
    expect(flood).toBeLessThanOrEqual(most);
  });
});

describe('code that fails after its response', () => {
  const LATE = `exports.handler = async ({ body }) => {
    if (body === 'throw') setTimeout(() => { throw new Error('too late'); }, 5);
    if (body === 'reject') setTimeout(() => Promise.reject(new Error('too late')), 5);
    if (body === 'exit') setTimeout(() => process.exit(3), 5);
    if (body === 'print') setTimeout(() => console.log('printed late'), 5);
    return { body: 'fine' };
  };`;

  it.each([
    ['throw', 'error', /did not catch, after the response: Error: too late\n.*code\.cjs:2/],
    ['reject', 'error', /promise was not handled, after the response: Error: too late/],
    ['print', 'info', /^printed late$/],
    ['exit', 'error', /exit status 3 \(after the response\)$/],
  ])('logs the failure, and handles the next call: %s', async (body, level, message) => {
    const bot = await newBot();
    await deploy(bot, LATE);
    const deployed = await running(bot);
    const call = (text: string) => callCode({ kind: 'bot', id: bot.id }, deployed, { headers: {}, body: text });

    const first = await call(body);

    await eventually(async () => {
      const { logs } = await bot.workspace.owner.client.getBotLogs({
        id: bot.id,
        timeStart: new Date(clock.now() - 60_000).toISOString(),
      });
      expect(logs).toContainEqual(expect.objectContaining({ level, message: expect.stringMatching(message) }));
    });
    expect([first, await call('good')]).toMatchObject([{ text: 'fine' }, { text: 'fine' }]);
  });
});

describe('an error of a timer or promise during a call', () => {
  const CONTINUING = `exports.handler = async ({ body }) => {
    if (body === 'timer') setTimeout(() => { throw new Error('in a timer'); }, 1);
    if (body === 'promise') void Promise.reject(new Error('in a promise'));
    if (body !== 'good') await new Promise(resolve => setTimeout(resolve, 30));
    const seen = String(globalThis.hasContinued);
    globalThis.hasContinued = true;
    return { body: seen };
  };`;

  it.each(['timer', 'promise'])('ends the handler, which would repeat its effects beside a retry: %s', async body => {
    const bot = await newBot();
    await deploy(bot, CONTINUING);
    const deployed = await running(bot);
    const call = (text: string) => callCode({ kind: 'bot', id: bot.id }, deployed, { headers: {}, body: text });

    const outcomes = [await call(body), await call('good')];

    expect(outcomes).toMatchObject([
      { kind: 'crashed', reason: expect.stringMatching(`Error: in a ${body}\n    at .*code.cjs:`) },
      { kind: 'answered', text: 'undefined' },
    ]);
  });
});

describe('code that misbehaves', () => {
  it.each([
    ['loops forever', 'for (;;);', /did not finish within 2 seconds/, 2],
    ['ends its process', 'process.exit(0);', /exited its process \(exit status 0\)/],
    [
      'leaves a rejection unhandled',
      'Promise.reject(new Error("lost")); await new Promise(() => {});',
      /not handled: Error: lost/,
    ],
    ['throws', 'throw new TypeError("oops");', /threw an error: TypeError: oops/],
    ['fills its heap', 'const all = []; for (;;) all.push(new Array(1e6).fill(all.length));', /ran out of memory/],
    [
      'takes memory outside its heap',
      'const all = []; for (;;) { all.push(Buffer.alloc(5e7, 1)); await 0; await new Promise(r => setTimeout(r, 5)); }',
      /ran out of memory/,
    ],
  ])(
    'fails its call with the reason if it %s, and the next call succeeds',
    async (_, bad, reason, maxExecutionTime = 50) => {
      const bot = await newBot();
      await bot.workspace.owner.client.updateBot({ id: bot.id, maxExecutionTime });
      await deploy(bot, bundle(`if (request.body === 'bad') { ${bad} } return { body: 'fine' };`));
      const deployed = await running(bot);
      const call = (body: string) => callCode({ kind: 'bot', id: bot.id }, deployed, { headers: {}, body });

      const outOfTime = maxExecutionTime < 50 ? { ranOutOfTime: true } : {};
      expect(await call('bad')).toEqual({ kind: 'crashed', reason: expect.stringMatching(reason), ...outOfTime });
      expect(await call('good')).toMatchObject({ text: 'fine' });
    },
  );

  it.each([
    ['/proc', "require('fs').readFileSync('/proc/self/environ', 'utf8')"],
    ["the platform's files", `require('fs').readdirSync(${JSON.stringify(process.cwd())})`],
    ["other bots' bundles", "require('fs').readdirSync('..')"],
    ['a process of its own', "require('child_process').execSync('id')"],
    ['a file to write to', "require('fs').writeFileSync('x', 'x')"],
  ])('is denied access to %s', async (_, look) => {
    const bot = await newBot();
    await deploy(bot, bundle(`if (request.body === 'go') return { body: String(${look}) }; return {};`));
    const outcome = await callCode({ kind: 'bot', id: bot.id }, await running(bot), { headers: {}, body: 'go' });

    expect(outcome).toEqual({ kind: 'crashed', reason: expect.stringMatching(/ERR_ACCESS_DENIED|Access to this API/) });
  });
});
