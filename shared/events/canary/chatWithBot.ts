import { clock } from '#shared/core/clock.ts';
import { startOf } from '#shared/core/excerpt.ts';
import { randomText } from '#shared/core/ids.ts';

class CanaryFailed extends Error {
  override readonly name = 'CanaryFailed';
}

const POLL_MS = 250;
const CALL_MS = 10_000;

/** Chats with a bot as an end user. Returns the latency of the reply in milliseconds. @throws CanaryFailed */
export async function chatWithBot(chatUrl: string, { waitMs }: { waitMs: number }): Promise<number> {
  const { key } = await call('createUser', `${chatUrl}/users`, { body: { name: 'Canary' } });
  try {
    const { conversation } = await call('createConversation', `${chatUrl}/conversations`, { key, body: {} });
    const url = `${chatUrl}/conversations/${conversation.id}`;
    const sentMs = clock.now();
    const payload = { type: 'text', text: `Canary ${randomText(8)}` };
    const body = { conversationId: conversation.id, payload };
    const { message } = await call('createMessage', `${chatUrl}/messages`, { key, body });
    await untilAnswered(url, { key, userId: message.userId, waitMs });
    const answeredMs = clock.now();
    await call('deleteConversation', url, { key, method: 'DELETE' });
    return answeredMs - sentMs;
  } finally {
    await call('deleteUser', `${chatUrl}/users/me`, { key, method: 'DELETE' });
  }
}

async function untilAnswered(url: string, { key, userId, waitMs }: { key: string; userId: string; waitMs: number }) {
  for (const startMs = clock.now(); ; await clock.sleep(POLL_MS)) {
    const { messages } = await call('listMessages', `${url}/messages`, { key });
    if (messages.some((message: { userId: string }) => message.userId !== userId)) return;
    // Keeps the conversation for inspection.
    if (clock.now() - startMs > waitMs)
      throw new CanaryFailed(`answer: the bot did not reply within ${waitMs / 1000} s.`);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a few fields of a few answers
type Answer = any;

async function call(
  step: string,
  url: string,
  { key, body, method = body ? 'POST' : 'GET' }: { key?: string; body?: object; method?: string },
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...(key ? { 'x-user-key': key } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(CALL_MS),
  }).catch(error => {
    throw new CanaryFailed(`${step}: ${(error as Error).message}`);
  });
  const text = await response.text();
  if (!response.ok) throw new CanaryFailed(`${step}: ${response.status} ${startOf(text, 300)}`);
  return JSON.parse(text);
}
