import type { RawAnswer, TestBot } from './platform.ts';

/** Returns the operations on saved replies, by default for the owner. */
export const savedRepliesOf = (bot: TestBot, token: string = bot.workspace.owner.token) => ({
  create: (body: unknown): Promise<RawAnswer> => bot.call('POST', '/saved-replies', { token, body }),
  list: (query = ''): Promise<RawAnswer> => bot.call('GET', `/saved-replies${query}`, { token }),
  update: (id: string, body: unknown, headers: Record<string, string> = {}): Promise<RawAnswer> =>
    bot.call('PUT', `/saved-replies/${id}`, { token, body, headers }),
  remove: (id: string): Promise<RawAnswer> => bot.call('DELETE', `/saved-replies/${id}`, { token }),
});
