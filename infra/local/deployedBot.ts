/** The demo's second bot: an echo bot bundled like those of `bp deploy`. */
import { type BuildOptions, build, stop } from 'esbuild';

const SOURCE = `
  const { Bot } = require('@botpress/sdk');
  const bot = new Bot({ actions: {}, plugins: {} });
  bot.on.message('*', async ({ message, conversation, client, ctx }) => {
    const { type } = message;
    // The webchat client recognizes its user's messages by their metadata. A reply must not repeat it.
    const { metadata, ...payload } = message.payload;
    await client.createMessage({ conversationId: conversation.id, userId: ctx.botId, tags: {}, type, payload });
  });
  exports.handler = bot.handler;
`;

export const bundleDeployedBot = (): Promise<string> =>
  bundleBot({ stdin: { contents: SOURCE, resolveDir: import.meta.dirname } });

/** Bundles a bot's source to code for `createBot`. */
export async function bundleBot(source: Pick<BuildOptions, 'stdin' | 'entryPoints'>): Promise<string> {
  const { outputFiles } = await build({
    ...source,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    minify: true,
    write: false,
  });
  await stop();
  return outputFiles![0]!.text;
}
