/** Tests that a process killed during a delivery loses nothing, and the next one resumes. */
import { expect, it } from 'vitest';
import { startEndpoint } from '#test/support/endpoint.ts';
import { chat, eventually } from '#test/support/platform.ts';
import { usePlatformProcess } from './platformProcess.ts';

const { start, kill, isKilled } = usePlatformProcess({ DELIVERY_FIRST_PAUSE_MS: '1' });

it('redelivers an event under the same id if the delivery was killed before the acknowledgement', {
  timeout: 120_000,
}, async () => {
  let received = 0;
  let release = () => {};
  const allSent = new Promise<void>(resolve => {
    release = resolve;
  });
  const endpoint = await startEndpoint(async ({ operation }, response) => {
    if (operation !== 'event_received') return void response.end('{}');
    received++;
    // Holds the first delivery until every message is sent, and kills the process during the second and the fifth.
    if (received === 1) await allSent;
    if ([2, 5].includes(received)) await kill();
    response.end('{}');
  });
  const killed = () => eventually(async () => expect(isKilled()).toBe(true), 30_000);
  const local = await start();
  await fetch(`${local.apiUrl}/v1/admin/bots/${local.botId}`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${local.tokens.owner}`,
      'x-workspace-id': local.workspaceId,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ url: endpoint.url }),
  });
  const client = await chat.Client.connect({ apiUrl: local.chatUrl });
  const { conversation } = await client.createConversation({});
  const sent: string[] = [];
  for (let i = 0; i < 8; i++) {
    const payload = { type: 'text' as const, text: String(i) };
    sent.push((await client.createMessage({ conversationId: conversation.id, payload })).message.id);
  }

  release();
  await killed();
  await start();
  await killed();
  await start();

  await eventually(async () => {
    const delivered = endpoint.events().map(({ messageId }) => messageId);
    expect([...new Set(delivered)]).toEqual(sent);
  }, 30_000);
  // Includes the repeats of both interrupted deliveries.
  expect(endpoint.events()).toHaveLength(sent.length + 2);
  expect(new Set(endpoint.events().map(({ id }) => id)).size).toBe(sent.length);
  endpoint.stop();
});
