import { beforeAll, describe, expect, it } from 'vitest';
import { apiBaseUrl, call, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const mark = (noteIds: unknown) =>
  call(`${apiBaseUrl()}/v1/chat/inbox/mentions/read`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${bot.workspace.owner.token}`, 'x-workspace-id': bot.workspace.id },
    body: { noteIds },
  });

// See listMentions.test.ts for the effect.
describe('PUT /v1/chat/inbox/mentions/read', () => {
  it('ignores notes that do not mention the caller', async () => {
    expect(await mark(['note_1', 'no-such'])).toMatchObject({ status: 200, body: {} });
  });

  it.each([
    ['no notes', []],
    ['more than 50 notes', Array.from({ length: 51 }, (_, i) => `note_${i}`)],
    ['no list', 'note_1'],
  ])('returns 400 for %s', async (_, noteIds) => {
    expect(await mark(noteIds)).toMatchObject({ status: 400, body: { type: 'InvalidPayload' } });
  });
});
