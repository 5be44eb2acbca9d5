import { describe, expect, it } from 'vitest';
import { call, crowds, install, newUser, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

async function conversation(settings = {}) {
  const installation = await install(settings);
  const user = await newUser(installation, { id: 'ada' });
  await user.client.createConversation({ id: 'c' });
  const post = (body: unknown) => call(`${installation.chatUrl}/messages`, { method: 'POST', key: user.key, body });
  return { ...user, installation, post, say: (payload: unknown) => post({ conversationId: 'c', payload }) };
}

const action = { action: 'say', label: 'l', value: 'v' };
const option = { label: 'l', value: 'v' };

/** A valid payload of each variant, with all of its fields. */
const VARIANTS = [
  { type: 'audio', audioUrl: 'u' },
  { type: 'card', title: 't', subtitle: 's', imageUrl: 'i', actions: [action] },
  { type: 'carousel', items: [{ title: 't', subtitle: 's', imageUrl: 'i', actions: [action] }] },
  { type: 'choice', text: 't', options: [option] },
  { type: 'dropdown', text: 't', options: [option] },
  { type: 'file', fileUrl: 'u', title: 't' },
  { type: 'image', imageUrl: 'u' },
  { type: 'location', latitude: 1.5, longitude: -2, address: '', title: '' },
  { type: 'markdown', markdown: 'm' },
  { type: 'text', text: 't' },
  { type: 'video', videoUrl: 'u' },
];

/** Invalid payloads, and the path of each fault. */
const FAULTS: [unknown, string][] = [
  [{ type: 'audio' }, 'payload.audioUrl'],
  [{ type: 'audio', audioUrl: '' }, 'payload.audioUrl'],
  [{ type: 'card', actions: [] }, 'payload.title'],
  [{ type: 'card', title: '', actions: [] }, 'payload.title'],
  [{ type: 'card', title: 't' }, 'payload.actions'],
  [{ type: 'card', title: 't', subtitle: '', actions: [] }, 'payload.subtitle'],
  [{ type: 'card', title: 't', imageUrl: '', actions: [] }, 'payload.imageUrl'],
  [{ type: 'card', title: 't', actions: [{ ...action, action: 'jump' }] }, 'payload.actions.0.action'],
  [{ type: 'card', title: 't', actions: [{ ...action, label: '' }] }, 'payload.actions.0.label'],
  [{ type: 'card', title: 't', actions: [{ action: 'url', label: 'l' }] }, 'payload.actions.0.value'],
  [{ type: 'carousel' }, 'payload.items'],
  [{ type: 'carousel', items: [{ actions: [] }] }, 'payload.items.0.title'],
  [{ type: 'carousel', items: [{ title: 't', subtitle: '', actions: [] }] }, 'payload.items.0.subtitle'],
  [{ type: 'choice', text: '', options: [] }, 'payload.text'],
  [{ type: 'choice', text: 't' }, 'payload.options'],
  [{ type: 'choice', text: 't', options: [{ label: 'l', value: '' }] }, 'payload.options.0.value'],
  [{ type: 'dropdown', text: 't', options: [{ value: 'v' }] }, 'payload.options.0.label'],
  [{ type: 'dropdown', options: [] }, 'payload.text'],
  [{ type: 'file', fileUrl: '' }, 'payload.fileUrl'],
  [{ type: 'file', fileUrl: 'u', title: '' }, 'payload.title'],
  [{ type: 'image' }, 'payload.imageUrl'],
  [{ type: 'location', latitude: '1', longitude: 2 }, 'payload.latitude'],
  [{ type: 'location', latitude: 1 }, 'payload.longitude'],
  [{ type: 'markdown', markdown: '' }, 'payload.markdown'],
  [{ type: 'text', text: '' }, 'payload.text'],
  [{ type: 'text' }, 'payload.text'],
  [{ type: 'video', videoUrl: 5 }, 'payload.videoUrl'],
  [{ type: 'bloc', items: [] }, 'payload.type'],
  [{ type: 'shout', text: 't' }, 'payload.type'],
  [{ text: 't' }, 'payload.type'],
  ['text', 'payload'],
  [null, 'payload'],
];

describe('POST /messages', () => {
  it('returns 201 with the message under foreign ids', async () => {
    const { say, client } = await conversation();

    const { status, body } = await say({ type: 'text', text: 'hello' });

    expect(status).toBe(201);
    expect(body).toEqual({
      message: {
        id: expect.stringMatching(/^msg_[0-9A-Za-z]{32}$/),
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        payload: { type: 'text', text: 'hello' },
        userId: 'ada',
        conversationId: 'c',
      },
    });
    expect((await client.getMessage({ id: body.message.id })).message).toEqual(body.message);
  });

  it.each(VARIANTS)('accepts the variant $type', async payload => {
    const { say } = await conversation();

    const { status, body } = await say(payload);

    expect({ status, payload: body.message?.payload }).toEqual({ status: 201, payload });
  });

  it.each(FAULTS)('returns 400 for %j and names the field', async (payload, path) => {
    const { say } = await conversation();

    const { status, body } = await say(payload);

    expect({ status, type: body.type, path: body.metadata.issues[0].path }).toEqual({
      status: 400,
      type: 'InvalidPayload',
      path,
    });
  });

  it('preserves the order of additional keys of a variant', async () => {
    const { say, installation, key } = await conversation();
    const payload = '{"zeta":[1,{"a":null}],"text":"t","type":"text","constructor":{"x":1},"alpha":1e+21}';

    const { body } = await call(`${installation.chatUrl}/messages`, {
      method: 'POST',
      key,
      body: `{"conversationId":"c","payload":${payload}}`,
    });
    const answer = await fetch(`${installation.chatUrl}/messages/${body.message.id}`, {
      headers: { 'x-user-key': key },
    });

    expect(await answer.text()).toContain(`"payload":${payload}`);
    expect((await say({ type: 'text', text: 't', deep: { deeper: [] } })).body.message.payload.deep).toEqual({
      deeper: [],
    });
  });

  it.each([
    [{ payload: { type: 'text', text: 't' } }, 'conversationId'],
    [{ conversationId: 'c' }, 'payload'],
    [{ conversationId: 7, payload: { type: 'text', text: 't' } }, 'conversationId'],
    [{ conversationId: 'c', payload: { type: 'text', text: 't' }, metadata: {} }, 'metadata'],
    [{ conversationId: 'c', payload: { type: 'text', text: 't' }, extra: 1 }, 'extra'],
  ])('returns 400 for unknown fields: %j', async (body, path) => {
    const { post } = await conversation();

    const { status, body: error } = await post(body);

    expect(status).toBe(400);
    expect(error.metadata.issues.map((issue: { path: string }) => issue.path)).toContain(path);
  });

  it('accepts metadata and bloc when the integration has payloadExtensions', async () => {
    const { post, client } = await conversation({ payloadExtensions: true });
    const payload = {
      type: 'bloc',
      items: [
        { type: 'text', text: 'a' },
        { type: 'image', imageUrl: 'u' },
      ],
    };

    const { status, body } = await post({ conversationId: 'c', payload, metadata: { a: { b: 1 } } });

    expect(status).toBe(201);
    expect(body.message).toMatchObject({ payload, metadata: { a: { b: 1 } } });
    expect((await client.listMessages({ conversationId: 'c' })).messages).toEqual([body.message]);
    expect((await post({ conversationId: 'c', payload: { type: 'bloc', items: [{ type: 'card' }] } })).status).toBe(
      400,
    );
  });

  it('returns 404 for an unknown conversation, and 403 to a stranger without writing', async () => {
    const { installation, client, post } = await conversation();
    const stranger = await newUser(installation);
    const body = { conversationId: 'c', payload: { type: 'text', text: 't' } };

    const unknown = await post({ ...body, conversationId: 'no-such' });
    const refused = await call(`${installation.chatUrl}/messages`, { method: 'POST', key: stranger.key, body });

    expect([unknown.status, refused.status]).toEqual([404, 403]);
    expect((await client.listMessages({ conversationId: 'c' })).messages).toEqual([]);
  });

  it.each([
    ['that compresses well', () => 'parley '.repeat(149_000)],
    ['that does not', () => randomText(1_040_000)],
    ['of quotes, which double inside the gateway’s response', () => '"'.repeat(520_000)],
    ['of four-byte characters', () => '🦜'.repeat(260_000)],
  ])('stores a megabyte %s and returns it byte for byte', async (_, make) => {
    const { say, client } = await conversation();
    const text = make();

    const { status, body } = await say({ type: 'text', text });

    expect(status).toBe(201);
    expect(body.message.payload.text === text).toBe(true);
    const { message } = await client.getMessage({ id: body.message.id });
    expect((message.payload as { text: string }).text === text).toBe(true);
    const { messages } = await client.listMessages({ conversationId: 'c' });
    expect((messages[0]!.payload as { text: string }).text === text).toBe(true);
  });

  it("keeps the order of one caller's messages", async () => {
    const { say, client } = await conversation();
    for (let i = 0; i < 10; i++) await say({ type: 'text', text: `${i}` });

    const { messages } = await client.listMessages({ conversationId: 'c' });

    expect(messages.map(({ payload }) => (payload as { text: string }).text)).toEqual([...'9876543210']);
  });

  it('stores all of 200 concurrent messages', async () => {
    const { say, client } = await conversation();

    const answers = await crowds(200, i => say({ type: 'text', text: `${i}` }));

    const ids = new Set<string>();
    let nextToken: string | undefined;
    do {
      const page = await client.listMessages({ conversationId: 'c', nextToken });
      for (const { id } of page.messages) ids.add(id);
      nextToken = page.meta.nextToken;
    } while (nextToken);
    expect(ids).toEqual(new Set(answers.map(({ body }) => body.message.id)));
    expect(ids.size).toBe(200);
  });
});

/** Text that hardly compresses. */
function randomText(length: number): string {
  let state = 1;
  let text = '';
  while (text.length < length) {
    state = (state * 48_271) % 2_147_483_647;
    text += String.fromCharCode(35 + (state % 57));
  }
  return text;
}
