/** The demo's second bot: the same echo, as a bundle like that of the command line, which the platform runs itself. */
import { build, stop } from 'esbuild';

/** Written with the ecosystem's SDK. */
const SOURCE = `
  const { Bot } = require('@botpress/sdk');
  const bot = new Bot({ actions: {}, plugins: {} });
  bot.on.message('*', async ({ message, conversation, client, ctx }) => {
    const { type } = message;
    // The webchat client tells its user's messages by their metadata, and would take an answer with the same for one.
    const { metadata, ...payload } = message.payload;
    await client.createMessage({ conversationId: conversation.id, userId: ctx.botId, tags: {}, type, payload });
  });
  exports.handler = bot.handler;
`;

/** The bundle: one CommonJS file with the SDK. */
export async function bundleDeployedBot(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: SOURCE, resolveDir: import.meta.dirname },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    minify: true,
    write: false,
  });
  // Ends its process.
  await stop();
  return outputFiles[0]!.text;
}
