/** Requests about labels, which the official client lacks. */
import { apiBaseUrl, call, type RawAnswer, type TestBot, type TestWorkspace } from './platform.ts';

export interface Label {
  id: string;
  name: string;
  color: string;
}

/** Returns the operations on the labels of a workspace, by default for its owner. */
export const labelsOf = ({ id: workspaceId, owner }: TestWorkspace, token: string = owner.token) => {
  const send = (method: string, path: string, body?: unknown): Promise<RawAnswer> =>
    call(`${apiBaseUrl()}/v1/chat/inbox/labels${path}`, { method, token, workspaceId, body });
  return {
    list: () => send('GET', ''),
    create: (body: unknown) => send('POST', '', body),
    update: (id: string, body: unknown) => send('PUT', `/${id}`, body),
    remove: (id: string) => send('DELETE', `/${id}`),
    created: async (name: string, color = 'blue'): Promise<Label> =>
      (await send('POST', '', { name, color })).body.label,
  };
};

/** Adds and removes labels of a conversation, by default as the owner. */
export const labelConversation = (
  bot: TestBot,
  conversationId: string,
  body: unknown,
  token: string = bot.workspace.owner.token,
): Promise<RawAnswer> => bot.call('PUT', `/conversations/${conversationId}/labels`, { token, body });
