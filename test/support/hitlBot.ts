/**
 * A bot written with the SDK. Its plugin uses the interface hitl with the same calls, tags and hooks as the plugin of
 * the public repository. `npm run test:integrations` runs the original.
 */

import { buffer } from 'node:stream/consumers';
import type { Integration } from '@botpress/client';
import { type Server, sdk, serve } from './integration.ts';
import { apiBaseUrl, type TestBot } from './platform.ts';

// biome-ignore lint/suspicious/noExplicitAny: the SDK's types of handlers need a generated definition
type Props = any;
const STOP = { stop: true } as const;

async function start({ conversationId, userId }: { conversationId: string; userId: string }, props: Props) {
  const user = await props.users.getById({ id: userId });
  const created = await props.actions.hitl.createUser({ name: user.name, email: `${userId}@no-reply.example.com` });
  await user.update({ tags: { downstream: created.userId } });
  const upstream = await props.conversations.hitl.hitl.getById({ id: conversationId });
  const said = await upstream.listMessages().takePage(1);
  const messageHistory = said.reverse().map(({ direction, type, payload }: Props) => ({
    source: direction === 'outgoing' ? { type: 'bot' } : { type: 'user', userId: created.userId },
    type,
    payload,
  }));
  const session = { title: 'Order 7', userId: created.userId, messageHistory };
  const { conversationId: downstreamId } = await props.actions.hitl.startHitl(session);
  const downstream = await props.conversations.hitl.hitl.getById({ id: downstreamId });
  await upstream.update({ tags: { downstream: downstreamId, isActive: 'true' } });
  await downstream.update({ tags: { upstream: conversationId, isActive: 'true' } });
}

const send = (props: Props, conversation: Props, payload: { type: string }, tags: Record<string, string> = {}) =>
  conversation.createMessage({ type: payload.type, userId: props.ctx.botId, payload, tags });

async function onMessage(props: Props) {
  const { data: message } = props;
  const conversation = await props.conversations.hitl.hitl.getById({ id: message.conversationId });
  const payload = { type: message.type, ...message.payload };
  if (conversation.integration === props.interfaces.hitl.integrationAlias) {
    if (conversation.tags.isActive !== 'true') return STOP;
    const upstream = await props.conversations.hitl.hitl.getById({ id: conversation.tags.upstream });
    await send(props, upstream, payload, { downstream: message.id });
    return STOP;
  }
  if (conversation.tags.isActive !== 'true') return { stop: false };
  const downstream = await props.conversations.hitl.hitl.getById({ id: conversation.tags.downstream });
  if (message.payload.text === '/end') {
    await stop(conversation, downstream);
    await props.actions.hitl.stopHitl({ conversationId: downstream.id });
    return STOP;
  }
  const user = await props.users.getById({ id: message.userId });
  await send(props, downstream, { ...payload, userId: user.tags.downstream }, { upstream: message.id });
  return STOP;
}

const stop = (...conversations: Props[]) =>
  Promise.all(conversations.map(each => each.update({ tags: { isActive: 'false' } })));

/** Returns the conversations of a session; undefined if it has ended. */
async function pairOf(props: Props) {
  const downstream = await props.conversations.hitl.hitl.getById({ id: props.data.payload.conversationId });
  if (downstream.tags.isActive !== 'true') return undefined;
  return { downstream, upstream: await props.conversations.hitl.hitl.getById({ id: downstream.tags.upstream }) };
}

async function onAssigned(props: Props) {
  const pair = await pairOf(props);
  if (!pair) return STOP;
  const agent = await props.users.getById({ id: props.data.payload.userId });
  await send(props, pair.upstream, { type: 'text', text: `${agent.name} has joined.` } as never);
  return STOP;
}

async function onStopped(props: Props) {
  const pair = await pairOf(props);
  if (!pair) return STOP;
  await stop(pair.upstream, pair.downstream);
  await send(props, pair.upstream, { type: 'text', text: 'The human has left.' } as never);
  return STOP;
}

/** Serves the bot. It requests a human for the message `human`, and echoes all others. */
export async function serveHitlBot({ tokens }: TestBot, inbox: Integration): Promise<Server> {
  Object.assign(process.env, { BP_API_URL: apiBaseUrl(), BP_TOKEN: tokens.bot });
  const plugin = new sdk.Plugin({ actions: {} }) as Props;
  plugin.on.beforeIncomingMessage('*', onMessage);
  plugin.on.beforeIncomingEvent('hitl:hitlAssigned', onAssigned);
  plugin.on.beforeIncomingEvent('hitl:hitlStopped', onStopped);
  plugin.on.message('*', async (props: Props) => {
    const { message, conversation, ctx } = props;
    if (message.payload.text === 'human') return start(message, props);
    const payload = { text: `You said: ${message.payload.text}` };
    return conversation.createMessage({ type: 'text', userId: ctx.botId, payload, tags: {} });
  });
  const implemented = inbox.interfaces['hitl<hitlSession>'];
  plugin.initialize({
    alias: 'hitl',
    configuration: {},
    integrations: {},
    interfaces: { hitl: { ...implemented, name: inbox.name, version: inbox.version, integrationAlias: 'inbox' } },
  });
  const bot = new sdk.Bot({ actions: {}, plugins: { hitl: plugin } });
  return serve(async (request, response) => {
    const body = (await buffer(request)).toString();
    const headers = request.headers as Record<string, string>;
    const answer = await bot.handler({ body, path: '/', query: '', method: 'POST', headers });
    response.writeHead(answer?.status ?? 200).end(answer?.body ?? '{}');
  });
}
