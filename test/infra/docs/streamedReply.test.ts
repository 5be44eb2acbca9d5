/** Deploys the bot of docs/api/live.md#streamed-replies as code, against a language model. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { afterRollout } from '#test/support/deployedCode.ts';
import { blocksOf, fileOf, ROOT } from '#test/support/documents.ts';
import { useModel } from '#test/support/languageModel.ts';
import { isLeftOut, newBot, newUser, useSharedPlatform } from '#test/support/platform.ts';
import { listenOfficial } from '#test/support/sockets.ts';

useSharedPlatform();
const model = useModel();

const SOURCE = blocksOf('docs/api/live.md').find(block => fileOf(block) === 'src/index.ts')!.text;

/** The class that `bp` generates, without its types. */
const GENERATED = `
  import * as sdk from '@botpress/sdk';
  export class Bot extends sdk.Bot { constructor(options) { super({ plugins: {}, ...options }); } }
`;

/** Bundles the bot as `bp build` does. */
async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: SOURCE, loader: 'ts', resolveDir: ROOT, sourcefile: join(ROOT, 'index.ts') },
    ...{ bundle: true, write: false, platform: 'node', target: 'node24', format: 'cjs', minify: true },
    footer: { js: 'module.exports.handler = module.exports.default.handler;' },
    logLevel: 'silent',
    plugins: [
      {
        name: 'generated',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^\.botpress$/ }, () => ({ path: 'generated', namespace: 'generated' }));
          onLoad({ filter: /.*/, namespace: 'generated' }, () => ({ contents: GENERATED, resolveDir: ROOT }));
        },
      },
    ],
  });
  return outputFiles[0]!.text;
}

describe.skipIf(isLeftOut('settings'))('the bot of the documentation', () => {
  it('streams the tokens of a language model from deployed code, then sends the message', async () => {
    const bot = await newBot();
    await bot.workspace.owner.client.updateBot({ id: bot.id, code: await bundled() });
    expect(await afterRollout({ kind: 'bot', id: bot.id })).toBeDefined();
    model.answerWith(() => ({ text: 'Green tea brews at 80 degrees.' }));
    const { client, key } = await newUser(bot);
    const { conversation } = await client.createConversation({});
    const listener = await listenOfficial({ chatUrl: bot.chatUrl, conversationId: conversation.id, key });

    await client.createMessage({ conversationId: conversation.id, payload: { type: 'text', text: 'How hot?' } });

    await listener.untilType('message_stream_complete');
    const deltas = listener.frames.filter(({ type }) => type === 'message_stream_delta').map(({ data }) => data);
    expect(deltas.map(({ delta }) => delta).join('')).toBe('Green tea brews at 80 degrees.');
    expect(deltas.length).toBeGreaterThan(1);
    expect(deltas.map(({ sequence }) => sequence)).toEqual(deltas.map((_, i) => i));
    const complete = listener.frames.find(({ type }) => type === 'message_stream_complete')!.data;
    expect(complete).toMatchObject({
      streamId: deltas[0].streamId,
      message: { payload: { type: 'text', text: 'Green tea brews at 80 degrees.' }, userId: bot.id },
    });
    listener.close();
  });
});
