/** Installs the integration inbox on a bot, and calls its actions. */
import { seedInbox } from '#shared/domain/admin/integrations/seedInbox.ts';
import { seedInterfaces } from '#shared/domain/admin/packages/seedInterfaces.ts';
import type { TestBot } from './platform.ts';

type Message = { source: { type: 'bot' } | { type: 'user'; userId: string }; type: string; payload: object };

/** Installs the inbox as a developer does. @returns its actions, called by the bot */
export async function installInbox(bot: TestBot) {
  await seedInterfaces();
  await seedInbox();
  const { client } = bot.workspace.owner;
  const { integration } = await client.getPublicIntegration({ name: 'inbox', version: 'latest' });
  await client.updateBot({ id: bot.id, integrations: { inbox: { integrationId: integration.id, enabled: true } } });
  const run = async (name: string, input: object) =>
    (await bot.client.callAction({ type: `inbox:${name}`, input })).output;
  return {
    createUser: async (fields: { name: string; pictureUrl?: string; email?: string } = { name: 'Grace' }) =>
      String((await run('createUser', fields)).userId),
    startHitl: async (fields: { userId: string; title?: string; description?: string; messageHistory?: Message[] }) =>
      String((await run('startHitl', { messageHistory: [], ...fields })).conversationId),
    stopHitl: (conversationId: string) => run('stopHitl', { conversationId }),
  };
}
