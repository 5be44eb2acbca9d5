/** Tests that deleting a bot or workspace deletes all its data despite interruptions, and records the completion. */

import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sweepDeleted } from '#functions/events/sweepDeleted.ts';
import { clock } from '#shared/core/clock.ts';
import { environment } from '#shared/core/environment.ts';
import { widenBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { documents } from '#shared/storage/dynamodb/engine/client.ts';
import { s3 } from '#shared/storage/s3/objects.ts';
import {
  apiBaseUrl,
  Client,
  eventually,
  newBotWithIntegration,
  newUser,
  newWorkspace,
  settled,
  type TestWorkspace,
  usePlatform,
} from '#test/support/platform.ts';
import { random } from '#test/support/seed.ts';
import { sweep } from '#test/support/sweeps.ts';
import { scanItems } from '#test/support/tableItems.ts';

usePlatform();

/** Disables automatic sweeps, because the test runs them itself. */
const holdSweeps = () => vi.spyOn(sweepDeleted, 'handle').mockResolvedValue();
afterEach(() => vi.restoreAllMocks());

async function fullBot(workspace: TestWorkspace) {
  const { bot, integration, chatUrl } = await newBotWithIntegration(workspace);
  const { client, owner } = { client: (await newUser({ chatUrl })).client, owner: workspace.owner.client };
  const { conversation } = await client.createConversation({ id: 'c' });
  for (let i = 0; i < 5; i++) {
    await client.createMessage({ conversationId: conversation.id, payload: { type: 'text', text: `${i}` } });
  }
  const big = Array.from({ length: 60_000 }, () => random().toString(36)).join('');
  await client.createMessage({ conversationId: conversation.id, payload: { type: 'text', text: big } });
  await workspace.call('POST', '/bots/baks', { body: { botId: bot.id }, headers: { 'idempotency-key': bot.id } });
  const yearly = { schedule: { cron: '@yearly' }, type: 'e', payload: {} };
  await owner.updateBot({ id: bot.id, code: 'module.exports = {}', recurringEvents: { yearly } });
  await speak(workspace, bot.id);
  await eventually(async () =>
    expect((await owner.getUsage({ id: bot.id, type: 'invocation_calls' })).usage.value).toBe(6),
  );
  return { bot, integration };
}

/** Creates records of the bot: tags, states, events, workflows, timers. */
async function speak(workspace: TestWorkspace, botId: string) {
  const { value: token } = await workspace.owner.client.createBotApiKey({ botId });
  const client = new Client({ apiUrl: apiBaseUrl(), token, botId });
  const tags = { color: 'red' };
  const { conversation } = await client.getOrCreateConversation({ channel: 'channel', tags });
  const { user } = await client.createUser({ tags });
  const { id: conversationId } = conversation;
  await client.addParticipant({ id: conversationId, userId: user.id });
  await client.removeParticipant({ id: conversationId, userId: user.id });
  const message = { conversationId, userId: botId, type: 'text', payload: { text: 't' }, tags };
  await client.getOrCreateMessage(message);
  await client.createMessage({ ...message, schedule: { delay: 3_600_000 } });
  await client.createEvent({ type: 'e', payload: {}, schedule: { delay: 3_600_000 } });
  await client.createEvent({ type: 'e', payload: {}, conversationId });
  const { workflow } = await client.getOrCreateWorkflow({ name: 'w', status: 'pending', tags, conversationId });
  for (const [type, id] of [
    ['conversation', conversationId],
    ['user', user.id],
    ['workflow', workflow.id],
    ['bot', botId],
    ['integration', 'chat'],
  ] as const) {
    await client.setState({ type, id, name: 's', payload: { a: 1 }, expiry: 3_600_000 });
  }
}

async function objectsOf(tenant: string): Promise<number> {
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: environment.bucketName }));
  return Contents.filter(({ Key }) => Key!.includes(tenant)).length;
}

describe('a bot that was deleted', () => {
  it('leaves no item and no object, and is shown as deleting until then', async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const { bot } = await fullBot(workspace);
    expect((await scanItems(bot.id)).length).toBeGreaterThan(10);
    // A message, the code and its version.
    expect(await objectsOf(bot.id)).toBe(3);

    await client.deleteBot({ id: bot.id });
    expect((await client.getBot({ id: bot.id })).bot.status).toBe('deleting');
    await sweep({ kind: 'bot', botId: bot.id, isSecondPass: true });

    await expect(client.getBot({ id: bot.id })).rejects.toMatchObject({ code: 404 });
    expect(await scanItems(bot.id)).toEqual([]);
    expect(await objectsOf(bot.id)).toBe(0);
    const { records } = await client.getAuditRecords({ id: workspace.id });
    expect(
      records
        .filter(({ resourceId }) => resourceId === bot.id)
        .map(({ action, value }) => [action, value])
        .slice(0, 2),
    ).toEqual([
      ['DELETE_BOT', 'all data removed'],
      ['DELETE_BOT', null],
    ]);
    // Usage stays recorded.
    expect((await client.getUsage({ id: workspace.id, type: 'invocation_calls' })).usage.value).toBe(6);
    expect((await client.getUsage({ id: workspace.id, type: 'bot_count' })).usage.value).toBe(0);
  });

  it('is swept completely although the function is interrupted repeatedly', async () => {
    const workspace = await newWorkspace();
    const { bot } = await fullBot(workspace);
    await workspace.owner.client.deleteBot({ id: bot.id });

    for (const pieces of [0, 3, 20]) await sweep({ kind: 'bot', botId: bot.id, isSecondPass: true }, pieces);

    await eventually(() => expect(workspace.owner.client.getBot({ id: bot.id })).rejects.toMatchObject({ code: 404 }));
    expect(await scanItems(bot.id)).toEqual([]);
  });

  it('keeps the data of other bots', async () => {
    const workspace = await newWorkspace();
    const [gone, stays] = [await fullBot(workspace), await fullBot(workspace)];
    // A rollout and deliveries are in progress.
    const isHeld = ({ pk }: Record<string, unknown>) => String(pk).endsWith('#held');
    await eventually(async () => {
      await settled();
      expect((await scanItems(stays.bot.id)).filter(isHeld)).toEqual([]);
    });
    // Checks again for pending events.
    const lasting = async () => (await scanItems(stays.bot.id)).filter(({ sk }) => sk !== 'due#held');
    const before = await lasting();

    await workspace.owner.client.deleteBot({ id: gone.bot.id });
    await sweep({ kind: 'bot', botId: gone.bot.id, isSecondPass: true });

    expect(await lasting()).toEqual(before);
  });
});

describe('a workspace that was deleted', () => {
  it('leaves no data of itself, its bots and its integrations, and ends its memberships', async () => {
    const workspace = await newWorkspace();
    const other = await newWorkspace();
    const { bot, integration } = await fullBot(workspace);
    const guest = await workspace.join('developer');
    const invitation = await other.call('POST', '/workspace-members', {
      body: { email: 'g@example.com', role: 'viewer' },
    });
    await workspace.call('POST', '/invitations/join', {
      token: guest.token,
      body: { inviteToken: invitation.body.inviteToken },
    });
    await workspace.owner.client.updateWorkspace({ id: workspace.id, handle: `h-${bot.id.slice(0, 8)}` });

    await workspace.owner.client.deleteWorkspace({ id: workspace.id });
    await sweep({ kind: 'workspace', workspaceId: workspace.id, isSecondPass: true });
    await sweep({ kind: 'bot', botId: bot.id, isSecondPass: true });
    await sweep({ kind: 'workspace', workspaceId: workspace.id, isSecondPass: true });
    await sweep({ kind: 'integration', integrationId: integration.id, isSecondPass: true });

    for (const id of [workspace.id, bot.id, integration.id]) expect(await scanItems(id)).toEqual([]);
    expect(JSON.stringify(await scanItems('handle#'))).not.toContain(workspace.id);
    const { workspaces } = await other.clientOf(guest.token).listWorkspaces({});
    expect(workspaces.map(({ id }) => id)).toEqual([other.id]);
  });

  it("removes its integrations from other workspaces' bots, which can still be changed and deleted", async () => {
    const [publisher, user] = [await newWorkspace(), await newWorkspace()];
    const { integration } = await publisher.owner.client.createIntegration({
      name: 'shared',
      version: '1.0.0',
      visibility: 'public',
    });
    const { bot } = await user.owner.client.createBot({});
    const install = (integrations: Record<string, { integrationId: string } | null>) =>
      user.owner.client.updateBot({ id: bot.id, integrations });
    await install({ one: { integrationId: integration.id }, two: { integrationId: integration.id } });

    await publisher.owner.client.deleteWorkspace({ id: publisher.id });
    await sweep({ kind: 'workspace', workspaceId: publisher.id, isSecondPass: true });
    const { bot: after } = await install({ one: null });

    expect(Object.keys(after.integrations)).toEqual(['two']);
    expect(after.integrations.two).toMatchObject({ id: integration.id, name: '', lifecycleStatus: 'deprecated' });
    await expect(user.owner.client.deleteBot({ id: bot.id })).resolves.toEqual({});
    expect(await scanItems(integration.id)).toEqual([]);
  });

  it('keeps its own item until its bots are deleted', async () => {
    const workspace = await newWorkspace();
    await fullBot(workspace);
    holdSweeps();
    await workspace.owner.client.deleteWorkspace({ id: workspace.id });

    await sweep({ kind: 'workspace', workspaceId: workspace.id, isSecondPass: true });

    expect((await workspace.owner.client.getWorkspace({ id: workspace.id })).blocked).toBe(true);
  });

  it('keeps its own item when a bot changes during the last pass', async () => {
    const workspace = await newWorkspace();
    const { bot } = await workspace.owner.client.createBot({});
    holdSweeps();
    await workspace.owner.client.deleteWorkspace({ id: workspace.id });
    const change = { name: 'change', step: 'initialize' } as const;
    documents.middlewareStack.add(
      (next, { commandName }) =>
        async args => {
          const isEnd =
            commandName === 'TransactWriteItemsCommand' && JSON.stringify(args.input).includes('deletedAtMs');
          if (isEnd) await widenBot(bot.id, clock.now());
          return next(args);
        },
      change,
    );

    await sweep({ kind: 'workspace', workspaceId: workspace.id, isSecondPass: true });

    documents.middlewareStack.remove(change.name);
    expect((await workspace.owner.client.getWorkspace({ id: workspace.id })).blocked).toBe(true);
    expect((await workspace.owner.client.getBot({ id: bot.id })).bot.id).toBe(bot.id);
  });
});
