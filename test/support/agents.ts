/** Agents of an inbox, their settings and their connections. */
import { afterEach } from 'vitest';
import { handoffsOf, type Member, newWaiting } from './handoffs.ts';
import { apiBaseUrl, call, eventually, newBot, type RawAnswer, type TestBot, type TestWorkspace } from './platform.ts';
import { type Listener, watchInbox } from './sockets.ts';

interface Settings {
  assignment?: 'manual' | 'automatic';
  maxOpenPerAgent?: number;
  releaseAfterMinutes?: 5 | 15 | null;
}

/** Returns the operations on the inbox of a workspace, by default for its owner. */
export const inboxOf = ({ id: workspaceId, owner }: TestWorkspace, token: string = owner.token) => {
  const send = (method: string, path: string, body?: unknown): Promise<RawAnswer> =>
    call(`${apiBaseUrl()}/v1/chat/inbox${path}`, { method, token, workspaceId, body });
  return {
    agents: (query = '') => send('GET', `/agents${query}`),
    setAvailability: (availability: string) => send('PUT', '/availability', { availability }),
    settings: () => send('GET', '/settings'),
    setSettings: (settings: Settings | object) => send('PUT', '/settings', settings),
    send,
  };
};

/** Closes the connections that a test opened. */
export function useConnections() {
  const open: Listener[] = [];
  afterEach(() => {
    for (const each of open.splice(0)) each.close();
  });
  return async (workspace: TestWorkspace, { token }: Pick<Member, 'token'>): Promise<Listener> => {
    const connection = await watchInbox(workspace.id, token);
    open.push(connection);
    return connection;
  };
}

/** Creates a bot with agents in a workspace of its own, whose settings other tests do not change. */
export async function newInbox(settings: Settings, agents = 2): Promise<{ bot: TestBot; agents: Member[] }> {
  const bot = await newBot();
  const { body } = await inboxOf(bot.workspace).setSettings(settings);
  if (!body.settings) throw new Error(JSON.stringify(body));
  const joined: Member[] = [];
  for (let i = 0; i < agents; i++) joined.push(await bot.workspace.join('agent'));
  return { bot, agents: joined };
}

/** Returns the account to which a handoff is assigned. */
export const assigneeOf = async (bot: TestBot, handoffId: string): Promise<string | undefined> =>
  (await handoffsOf(bot).get(handoffId)).body.handoff.member?.id;

export const untilAssigned = (bot: TestBot, handoffId: string): Promise<string> =>
  eventually(async () => {
    const assignee = await assigneeOf(bot, handoffId);
    if (assignee === undefined) throw new Error(`${handoffId} is waiting.`);
    return assignee;
  });

/** Creates waiting conversations one after another. @returns the ids of their handoffs */
export async function newQueue(bot: TestBot, length: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < length; i++) ids.push((await newWaiting(bot)).id);
  return ids;
}
