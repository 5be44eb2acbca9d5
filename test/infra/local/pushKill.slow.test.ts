/** Tests that a process killed while it pushes loses nothing: clients resume at the next process. */
import { expect, it } from 'vitest';
import { eventually } from '#test/support/platform.ts';
import { requestJson } from '#test/support/requestJson.ts';
import { listenResuming } from '#test/support/resumingListener.ts';
import { usePlatformProcess } from './platformProcess.ts';

const MESSAGES = 120;
const KILLED_AT = [30, 75];

const { start, kill } = usePlatformProcess();

it('delivers each message once, in order, although the platform is killed while it pushes', {
  timeout: 180_000,
}, async () => {
  let { chatUrl } = await start();
  const post = (path: string, body: object, key?: string) =>
    requestJson('POST', `${chatUrl}${path}`, { headers: key ? { 'x-user-key': key } : {}, body });
  const { key } = await post('/users', {});
  const conversationId: string = (await post('/conversations', {}, key)).conversation.id;
  const listeners = await Promise.all(
    Array.from({ length: 3 }, () => listenResuming({ chatUrl: () => chatUrl, key }, conversationId)),
  );
  const sent = Array.from({ length: MESSAGES }, (_, i) => String(i));

  for (const [i, text] of sent.entries()) {
    await post('/messages', { conversationId, payload: { type: 'text', text } }, key);
    if (!KILLED_AT.includes(i)) continue;
    await kill();
    ({ chatUrl } = await start());
  }

  await eventually(async () => expect(listeners.map(({ texts }) => texts)).toEqual(listeners.map(() => sent)));
  for (const listener of listeners) listener.stop();
});
