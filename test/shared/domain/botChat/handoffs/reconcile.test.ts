/** Tests what happens to open handoffs when a member, a user or an installation ends (docs/data-model.md#holders). */
import { beforeEach, describe, expect, it } from 'vitest';
import { findPresence } from '#shared/storage/dynamodb/chat/presence.ts';
import { startEndpoint } from '#test/support/endpoint.ts';
import { handoffsOf, type Member, newTalk, newWaiting } from '#test/support/handoffs.ts';
import { installInbox } from '#test/support/inbox.ts';
import {
  type AdminClient,
  eventually,
  newBot,
  settled,
  type TestBot,
  useSharedPlatform,
} from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
let ada: Member;
let bob: Member;
let owner: AdminClient;
beforeEach(async () => {
  bot = await newBot();
  [ada, bob] = await Promise.all([bot.workspace.join('agent'), bot.workspace.join('agent')]);
  owner = bot.workspace.owner.client;
});

/** Starts a handoff that is assigned to Ada. */
async function servedBy(member: Member, conversationId: string): Promise<string> {
  const { body } = await handoffsOf(bot).start(conversationId, { accountId: member.accountId });
  return body.handoff.id;
}

const find = async (id: string) => (await handoffsOf(bot).get(id)).body.handoff;
const untilWaiting = (id: string) =>
  eventually(async () => {
    const handoff = await find(id);
    expect(handoff.status).toBe('waiting');
    expect(handoff.member).toBeUndefined();
  });
const untilClosed = (id: string) => eventually(async () => expect((await find(id)).status).toBe('closed'));

/** Ways in which a member loses the right to answer. */
const ENDS = {
  removed: () => owner.deleteWorkspaceMember({ id: ada.memberId }),
  'removed by themselves': () => ada.client.deleteWorkspaceMember({ id: ada.memberId }),
  demoted: () => owner.updateWorkspaceMember({ id: ada.memberId, role: 'viewer' }),
};

describe('the handoff of a member', () => {
  it.each(Object.entries(ENDS))('returns to the queue after the member was %s', async (_, end) => {
    const { conversationId } = await newTalk(bot);
    const id = await servedBy(ada, conversationId);

    await end();
    await untilWaiting(id);

    const { body: served } = await handoffsOf(bot).list('?status=served');
    const { body: waiting } = await handoffsOf(bot).list('?status=waiting');
    const { records } = await owner.getAuditRecords({ id: bot.workspace.id });
    expect(served.handoffs).toEqual([]);
    expect(waiting.handoffs).toMatchObject([{ id }]);
    expect(await findPresence(bot.id, conversationId)).toContainEqual(
      expect.objectContaining({ kind: 'handoff', status: 'waiting' }),
    );
    expect(records).toContainEqual(expect.objectContaining({ value: `RELEASE_HANDOFF ${id}`, userId: null }));
  });

  it('is kept in a role that can be assigned', async () => {
    const { id } = await newWaiting(bot);
    await handoffsOf(bot, ada.token).assign(id);

    await owner.updateWorkspaceMember({ id: ada.memberId, role: 'developer' });
    await settled();

    expect(await find(id)).toMatchObject({ status: 'served', member: { id: ada.accountId } });
  });

  it('is released in all bots of the workspace, without affecting other members', async () => {
    const other = await newBot(bot.workspace);
    const ids = [(await newWaiting(bot)).id, (await newWaiting(bot)).id];
    const { id: elsewhere } = await newWaiting(other);
    await handoffsOf(bot, ada.token).assign(ids[0]!);
    await handoffsOf(bot, bob.token).assign(ids[1]!);
    await handoffsOf(other, ada.token).assign(elsewhere);

    await owner.deleteWorkspaceMember({ id: ada.memberId });
    await untilWaiting(ids[0]!);

    await eventually(async () => expect((await handoffsOf(other).get(elsewhere)).body.handoff.status).toBe('waiting'));
    expect(await find(ids[1]!)).toMatchObject({ status: 'served', member: { id: bob.accountId } });
  });

  it('is released when it was assigned while the member was being removed', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, async () => (await newWaiting(bot)).id));

    await Promise.all([
      ...ids.map(id => handoffsOf(bot).assign(id, { accountId: ada.accountId })),
      owner.deleteWorkspaceMember({ id: ada.memberId }),
    ]);

    for (const id of ids) await untilWaiting(id);
  });

  it('returns to the queue in a session of the integration inbox, which can be assigned to another member', async () => {
    const inbox = await installInbox(bot);
    const userId = await inbox.createUser();
    const conversationId = await inbox.startHitl({ userId, title: 'Order 7' });
    const { body } = await handoffsOf(bot).list(`?conversationId=${conversationId}`);
    const { id } = body.handoffs[0];
    await handoffsOf(bot, ada.token).assign(id);

    await owner.deleteWorkspaceMember({ id: ada.memberId });
    await untilWaiting(id);
    const taken = await handoffsOf(bot, bob.token).assign(id);

    expect(taken.body.handoff.member.id).toBe(bob.accountId);
  });

  it('returns to the queue after a transfer to a workspace without that member', async () => {
    const { id } = await newWaiting(bot);
    await handoffsOf(bot, ada.token).assign(id);
    const { workspace } = bot;
    const target = (await workspace.owner.client.createWorkspace({ name: 'Target' })).id;
    await workspace.call('PUT', `/integrations/${bot.integrationId}`, { body: { visibility: 'unlisted' } });

    await workspace.call('POST', `/bots/${bot.id}/transfer`, { body: { targetWorkspaceId: target } });

    await eventually(async () => {
      const { body } = await bot.call('GET', `/handoffs/${id}`, {
        token: workspace.owner.token,
        headers: { 'x-workspace-id': target },
      });
      expect(body.handoff).toMatchObject({ status: 'waiting' });
    });
  });
});

describe('the handoff of a user', () => {
  /** Ways in which the only user of a conversation ends. */
  const LEAVES: Record<string, (talk: Awaited<ReturnType<typeof newTalk>>) => Promise<unknown>> = {
    'deletes themself': ({ client }) => client.deleteUser({}),
    'is deleted by the bot': ({ userId }) => bot.client.deleteUser({ id: userId }),
  };

  it.each(Object.entries(LEAVES))('ends when the user %s', async (_, leave) => {
    const endpoint = await startEndpoint();
    await owner.updateBot({ id: bot.id, url: endpoint.url });
    const talk = await newTalk(bot);
    const id = await servedBy(ada, talk.conversationId);

    await leave(talk);
    await untilClosed(id);
    const reply = await bot.call('POST', `/handoffs/${id}/messages`, {
      token: ada.token,
      body: { type: 'text', payload: { text: 'Hello?' } },
    });

    expect((await find(id)).endedBy).toEqual({ type: 'user', id: 'user', name: 'User' });
    expect(reply).toMatchObject({ status: 409, body: { type: 'RelationConflict' } });
    await eventually(async () => {
      const ended = endpoint.events().filter(({ type }) => type === 'handoff_ended');
      expect(ended).toMatchObject([{ payload: { conversationId: talk.conversationId, handoff: { id } } }]);
    });
    endpoint.stop();
  });

  it('ends while it is queued', async () => {
    const talk = await newTalk(bot);
    const { body } = await handoffsOf(bot).start(talk.conversationId);

    await talk.client.deleteUser({});

    await untilClosed(body.handoff.id);
  });

  it('is kept while another user participates', async () => {
    const talk = await newTalk(bot);
    const other = await newTalk(bot);
    await talk.client.addParticipant({ conversationId: talk.conversationId, userId: other.userId });
    const id = await servedBy(ada, talk.conversationId);

    await talk.client.deleteUser({});
    await settled();
    const before = await find(id);
    await other.client.deleteUser({});
    await untilClosed(id);

    expect(before.status).toBe('served');
  });

  it('ends when it was started while the user was being deleted', async () => {
    const talks = await Promise.all(Array.from({ length: 6 }, () => newTalk(bot)));

    const [ids] = await Promise.all([
      Promise.all(talks.map(({ conversationId }) => servedBy(ada, conversationId))),
      Promise.all(talks.map(({ client }) => client.deleteUser({}))),
    ]);

    for (const id of ids) await untilClosed(id);
  });
});

describe('the handoff of an installation', () => {
  it('ends when the integration is uninstalled', async () => {
    const { conversationId } = await newTalk(bot);
    const id = await servedBy(ada, conversationId);

    await owner.updateBot({ id: bot.id, integrations: { chat: null } } as never);

    await untilClosed(id);
    expect((await find(id)).endedBy).toMatchObject({ type: 'bot', id: bot.id });
  });

  it('is kept while the integration is disabled', async () => {
    const { conversationId } = await newTalk(bot);
    const id = await servedBy(ada, conversationId);

    await owner.updateBot({ id: bot.id, integrations: { chat: { enabled: false } } });
    await settled();

    expect((await find(id)).status).toBe('served');
  });
});
