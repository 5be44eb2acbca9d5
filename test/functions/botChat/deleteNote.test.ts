import { beforeAll, describe, expect, it } from 'vitest';
import { newConversation } from '#test/support/handoffs.ts';
import { newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
let agent: Awaited<ReturnType<TestBot['workspace']['join']>>;
beforeAll(async () => {
  bot = await newBot();
  agent = await bot.workspace.join('agent');
});

async function noted(token: string) {
  const conversationId = await newConversation(bot);
  const { body } = await bot.call('POST', `/conversations/${conversationId}/notes`, { token, body: { text: 'a' } });
  const left = async () => (await bot.call('GET', `/conversations/${conversationId}/notes`)).body.notes.length;
  return { id: body.note.id as string, left };
}
const remove = (id: string, token: string) => bot.call('DELETE', `/notes/${id}`, { token });

describe('DELETE /v1/chat/notes/{id}', () => {
  it('deletes a note of the caller', async () => {
    const { id, left } = await noted(agent.token);

    const { status, body } = await remove(id, agent.token);

    expect({ status, body, left: await left() }).toEqual({ status: 200, body: {}, left: 0 });
  });

  it("lets a manager delete other members' notes, and returns 403 to an agent and the bot", async () => {
    const manager = await bot.workspace.join('manager');
    const { id, left } = await noted(bot.workspace.owner.token);

    const refused = [await remove(id, agent.token), await remove(id, bot.tokens.bot)];
    const before = await left();
    const allowed = await remove(id, manager.token);

    expect([...refused, allowed].map(({ status }) => status)).toEqual([403, 403, 200]);
    expect([before, await left()]).toEqual([1, 0]);
  });

  it('returns 404 for an unknown note, and for one of another bot', async () => {
    const { id } = await noted(bot.tokens.bot);
    const other = await newBot(bot.workspace);

    const answers = [
      await remove('no-such', bot.tokens.bot),
      await other.call('DELETE', `/notes/${id}`),
      await remove(`note_${'0'.repeat(32)}`, bot.tokens.bot),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});
