/** Tests `npm run erase` as a process. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { operate } from '#test/support/commands.ts';
import { eventually, newBot, newUser, settled, usePlatform } from '#test/support/platform.ts';
import { sweep } from '#test/support/sweeps.ts';
import { scanItems } from '#test/support/tableItems.ts';

usePlatform();

describe('npm run erase', () => {
  it('erases a user, a bot and a workspace', async () => {
    const bot = await newBot();
    const { id: workspaceId } = bot.workspace;
    const { user, client } = await newUser(bot, { name: randomUUID() });
    const { conversation } = await client.createConversation({});
    await client.createMessage({ conversationId: conversation.id, payload: { type: 'text', text: 'bye' } });

    const ofUser = await operate('erase', ['--bot', bot.id, '--user', user.id]);
    await eventually(async () => {
      await settled();
      await expect(bot.client.getUser({ id: user.id })).rejects.toMatchObject({ code: 404 });
      expect(await scanItems(user.id)).toHaveLength(1);
    });
    const erasure = { kind: 'erasure' as const, botId: bot.id, userId: user.id, untilMs: clock.now() };
    await sweep({ ...erasure, isSecondPass: true });
    const ofBot = await operate('erase', ['--bot', bot.id]);
    const ofWorkspace = await operate('erase', ['--workspace', workspaceId]);
    await settled();
    await sweep({ kind: 'bot', botId: bot.id, isSecondPass: true });
    await sweep({ kind: 'workspace', workspaceId, isSecondPass: true });

    expect([ofUser, ofBot, ofWorkspace].map(({ code, output }) => [code, output])).toEqual([
      [0, expect.stringContaining('is being erased')],
      [0, expect.stringContaining('is being erased')],
      [0, expect.stringContaining('is being erased')],
    ]);
    // A conversation's tombstone remains for 30 days without personal data.
    const left = [...(await scanItems(bot.id)), ...(await scanItems(workspaceId))];
    expect(left.map(({ sk, deletedAtMs }) => [sk, typeof deletedAtMs])).toEqual([['conversation', 'number']]);
    expect(JSON.stringify(left)).not.toContain(user.id);
  });

  it.each([
    ['nothing', []],
    ['a user without a bot', ['--user', `user_${'0'.repeat(24)}`]],
    ['a bot and a workspace', ['--bot', randomUUID(), '--workspace', 'wkspace_x']],
    ['an unknown bot', ['--bot', randomUUID()]],
  ])('reports the error when given %s', async (_, args) => {
    const { code, output } = await operate('erase', args);

    expect([code, output.includes('    at ')]).toEqual([1, false]);
  });
});
