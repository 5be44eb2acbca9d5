/** Tests watching all bots of a workspace over one connection. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isListenedTo } from '#shared/storage/dynamodb/connections/connections.ts';
import { MEMBERS } from '#shared/storage/dynamodb/connections/members.ts';
import { newTalk } from '#test/support/handoffs.ts';
import {
  eventually,
  isLeftOut,
  newBot,
  newScopedToken,
  newWorkspace,
  settled,
  type TestBot,
  type TestWorkspace,
  useSharedPlatform,
} from '#test/support/platform.ts';
import { type Listener, type Refused, watchInbox } from '#test/support/sockets.ts';

useSharedPlatform();

const CLOSED_BY_SERVER = 1001;
let bots: [TestBot, TestBot];
let workspace: TestWorkspace;
const open: Listener[] = [];

beforeAll(async () => {
  const first = await newBot();
  workspace = first.workspace;
  bots = [first, await newBot(workspace)];
});
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

async function watch(token = workspace.owner.token, workspaceId = workspace.id): Promise<Listener> {
  const watcher = await watchInbox(workspaceId, token);
  open.push(watcher);
  return watcher;
}

const conversationsOf = ({ frames }: Listener, bot: TestBot): string[] =>
  frames.flatMap(({ data }) => (data.botId === bot.id ? data.conversationIds : []));

/** Waits until the changes of a bot so far have been noticed. */
async function noticed(bot: TestBot, watcher: Listener): Promise<void> {
  const talk = await newTalk(bot);
  await eventually(async () => expect(conversationsOf(watcher, bot)).toContain(talk.conversationId));
}

describe('a connection to the inbox of a workspace', () => {
  it('receives the notices of each bot, with its id', async () => {
    const watcher = await watch();

    await noticed(bots[0], watcher);
    await noticed(bots[1], watcher);
  });

  it('receives no notice of another workspace', async () => {
    const stranger = await newBot();
    const watcher = await watch();

    const talk = await newTalk(stranger);
    await settled();
    await noticed(bots[0], watcher);

    expect(JSON.stringify(watcher.frames)).not.toContain(talk.conversationId);
  });

  it.each<[string, () => Promise<string>, number]>([
    ['401 for an unknown token', async () => 'bp_pat_0000000000000000000000', 401],
    ['403 for a key of a bot', async () => bots[0].tokens.bot, 403],
    ['403 for a role without conversations', async () => (await workspace.join('billing')).token, 403],
    ['403 for a token without the scope', () => newScopedToken(workspace, ['files']), 403],
    ['403 for a member of another workspace', async () => (await newWorkspace()).owner.token, 403],
  ])('is refused with %s', async (_, tokenOf, status) => {
    const token = await tokenOf();

    const refused: Refused = await watch(token).catch(error => error);

    expect(refused.status).toBe(status);
  });

  it('watches bots that are created or transferred to the workspace later', async () => {
    const own = await newWorkspace();
    const watcher = await watch(own.owner.token, own.id);

    const created = await newBot(own);
    await eventually(async () =>
      expect(watcher.frames.map(({ data }) => data)).toContainEqual({
        botId: created.id,
        topics: expect.arrayContaining(['conversations', 'events', 'handoffs']),
      }),
    );

    await noticed(created, watcher);
  });

  it('is closed at the next change after the member was removed, and receives no notice of it', async () => {
    const member = await workspace.join('agent');
    const [watcher, owner] = [await watch(member.token), await watch()];

    await workspace.owner.client.deleteWorkspaceMember({ id: member.memberId });
    const talk = await newTalk(bots[1]);

    expect(await watcher.closed).toBe(CLOSED_BY_SERVER);
    await noticed(bots[1], owner);
    expect(JSON.stringify(watcher.frames)).not.toContain(talk.conversationId);
  });

  it('is closed after one of the bots was deleted, so that the client connects to the others', async () => {
    const own = await newBot(workspace);
    const watcher = await watch();

    await workspace.owner.client.deleteBot({ id: own.id });

    expect(await watcher.closed).toBe(CLOSED_BY_SERVER);
    await noticed(bots[0], await watch());
  });

  it.skipIf(isLeftOut('connections'))('leaves nothing in the partitions of the bots after it was closed', async () => {
    const own = await newWorkspace();
    const [one, two] = [await newBot(own), await newBot(own)];
    const watcher = await watch(own.owner.token, own.id);
    expect(await isListenedTo(two.id, MEMBERS)).toBe(true);

    watcher.close();

    await eventually(async () =>
      expect([await isListenedTo(one.id, MEMBERS), await isListenedTo(two.id, MEMBERS)]).toEqual([false, false]),
    );
  });
});
