/** Tests that `nextToken` is opaque, bound to its list, and rejected after tampering. */
import { describe, expect, it } from 'vitest';
import { call, install, newUser, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

async function listOf25() {
  const installation = await install();
  const { client, key } = await newUser(installation);
  for (const id of ['c', 'd']) {
    await client.createConversation({ id });
    for (let i = 0; i < 25; i++)
      await client.createMessage({ conversationId: id, payload: { type: 'text', text: `${i}` } });
  }
  const url = (path: string, token: string) => `${installation.chatUrl}${path}?nextToken=${encodeURIComponent(token)}`;
  const list = (path: string, token: string, by = key) => call(url(path, token), { key: by });
  const { meta } = await client.listMessages({ conversationId: 'c' });
  return { installation, client, list, token: meta.nextToken! };
}

const refusal = { status: 400, body: { type: 'InvalidPayload', metadata: { issues: [{ path: 'nextToken' }] } } };

describe('nextToken', () => {
  it('can be used repeatedly', async () => {
    const { list, token } = await listOf25();

    const pages = [await list('/conversations/c/messages', token), await list('/conversations/c/messages', token)];

    expect(pages.map(({ body }) => body.messages.length)).toEqual([5, 5]);
  });

  it('is rejected by any other list and for any other caller', async () => {
    const { installation, client, list, token } = await listOf25();
    const guest = await newUser(installation);
    await client.addParticipant({ conversationId: 'c', userId: guest.user.id });

    expect(await list('/conversations/d/messages', token)).toMatchObject(refusal);
    expect(await list('/conversations/c/participants', token)).toMatchObject(refusal);
    expect(await list('/conversations', token)).toMatchObject(refusal);
    expect(await list('/conversations/c/messages', token, guest.key)).toMatchObject(refusal);
  });

  it('is rejected when any single character is changed, dropped or added', async () => {
    const { list, token } = await listOf25();
    const forged = [
      ...Array.from(token, (c, i) => token.slice(0, i) + (c === 'A' ? 'B' : 'A') + token.slice(i + 1)),
      token.slice(1),
      token.slice(0, -1),
      `${token}A`,
      `${token}=`,
      'nonsense',
      Buffer.from('{"pk":"x"}').toString('base64'),
    ];

    for (const each of forged) expect(await list('/conversations/c/messages', each)).toMatchObject(refusal);
  });
});
