/** Tests how `npm start` prints failures of endpoints and deployed code. */
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { watchFailures } from '#infra/local/watchFailures.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { newAnsweringBot, talk } from '#test/support/deliveries.ts';
import { eventually, newBot, settled, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const SOURCE = `export const handler = async ({ headers, body }: { headers: Record<string, string>; body: string }) => {
  if (headers['x-bp-operation'] !== 'event_received') return {};
  return answer(JSON.parse(body).event.payload.message.payload.text);
};

function answer(text: string): never {
  throw new TypeError(\`Cannot answer \${text}\`);
}
`;

const bundle = async (sourcemap: 'inline' | false) => {
  const { outputFiles } = await build({
    stdin: { contents: SOURCE, sourcefile: 'src/index.ts', loader: 'ts' },
    bundle: true,
    format: 'cjs',
    minify: true,
    keepNames: true,
    write: false,
    sourcemap,
  });
  return outputFiles![0]!.text;
};

const lines: string[] = [];
const stopping: (() => unknown)[] = [];
beforeEach(() => {
  process.env[VARIABLES.firstPauseMs] = '1';
  stopping.push(watchFailures(line => lines.push(line)).stop);
});
afterEach(async () => {
  delete process.env[VARIABLES.firstPauseMs];
  for (const stop of stopping.splice(0)) await stop();
  lines.length = 0;
});

/**
 * Sends a message to a bot with deployed code.
 * @returns the log lines about it
 */
async function linesOf(code: string) {
  const bot = await newBot();
  await bot.workspace.owner.client.updateBot({ id: bot.id, code });
  await eventually(async () => expect((await findBot(bot.id))!.running).toBeDefined());
  const { conversationId, say } = await talk(bot);
  await say('hello');
  const ofBot = () => lines.filter(line => line.includes(bot.id));
  await eventually(async () => expect(ofBot()).toHaveLength(3));
  const { event } = await eventually(async () => ({ event: (await bot.client.listEvents({})).events[0]! }));
  return { lines: ofBot(), prefix: `! bot ${bot.id}  conversation ${conversationId}  event ${event.id}` };
}

describe('a failed attempt at a delivery', () => {
  it('is logged with bot, conversation, event, attempt, message and source location', async () => {
    const { lines: printed, prefix } = await linesOf(await bundle('inline'));

    expect(printed).toEqual(
      [1, 2, 3].map(
        attempt =>
          `${prefix}  attempt ${attempt}  The handler threw an error: TypeError: Cannot answer hello  at answer (src/index.ts:7:9)`,
      ),
    );
  });

  it('is logged with the location in the bundle if there is no source map', async () => {
    const { lines: printed, prefix } = await linesOf(await bundle(false));

    expect(printed[0]).toMatch(/TypeError: Cannot answer hello {2}at answer \(code\.cjs:\d+:\d+\)/);
    expect(printed[0]!.startsWith(prefix)).toBe(true);
  });

  it("is logged with the endpoint's response, or with the connection failure", async () => {
    let status = 422;
    const { bot, endpoint } = await newAnsweringBot(() => status);
    stopping.push(endpoint.stop);
    const { say } = await talk(bot);
    await say('1');
    await settled();
    status = 503;
    await say('2');

    const ofBot = () => lines.filter(line => line.includes(bot.id));
    await eventually(async () => expect(ofBot().length).toBeGreaterThanOrEqual(2));
    expect(ofBot()[0]).toMatch(/attempt 1 {2}The endpoint returned 422: \{"message":"this is bad"\}$/);
    expect(ofBot()[1]).toMatch(/attempt 1 {2}The endpoint returned 503: /);
    await bot.workspace.owner.client.updateBot({ id: bot.id, url: null });
  });
});

it('prints an exception of deployed code that no delivery called', async () => {
  const bot = await newBot();
  const code = `exports.handler = async () => { throw new Error('No ping'); };`;

  await bot.workspace.owner.client.updateBot({ id: bot.id, code });

  await eventually(async () =>
    expect(lines.filter(line => line.includes(bot.id))[0]).toMatch(
      /^! bot \S+ {2}event ping {2}The handler threw an error: Error: No ping {2}at exports\.handler \(code\.cjs:1:\d+\)$/,
    ),
  );
});
