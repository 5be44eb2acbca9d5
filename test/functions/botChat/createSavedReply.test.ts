import { beforeAll, describe, expect, it } from 'vitest';
import { newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { savedRepliesOf } from '#test/support/savedReplies.ts';

useSharedPlatform();

let bot: TestBot;
let token: string;
beforeAll(async () => {
  bot = await newBot();
  ({ token } = await bot.workspace.join('agent'));
});

const create = (body: unknown, as = token) => savedRepliesOf(bot, as).create(body);

describe('POST /v1/chat/saved-replies', () => {
  it('saves a text for the members of the bot', async () => {
    const { status, body } = await create({ name: 'hours', text: 'We open at nine.' });

    expect({ status, body }).toEqual({
      status: 201,
      body: {
        savedReply: {
          scope: 'bot',
          id: expect.stringMatching(/^reply_[0-9A-Za-z]{22}$/),
          name: 'hours',
          text: 'We open at nine.',
          createdAt: expect.any(String),
          updatedAt: body.savedReply.createdAt,
        },
      },
    });
  });

  it('returns 400 for an empty name or text, and 403 to a viewer and the bot', async () => {
    const viewer = await bot.workspace.join('viewer');
    const reply = { name: 'hours', text: 'We open at nine.' };

    const answers = [
      await create({ ...reply, name: '' }),
      await create({ ...reply, text: '' }),
      await create(reply, viewer.token),
      await create(reply, bot.tokens.bot),
    ];

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 403, 403]);
  });
});
