import { describe, expect, it } from 'vitest';
import { newBotWithIntegration, newWorkspace, type TestWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const unknown = { code: 404, type: 'ResourceNotFound' };
const botCount = async ({ id, owner }: TestWorkspace) =>
  (await owner.client.getUsage({ id, type: 'bot_count' })).usage.value;

/** A workspace with a bot, and a second workspace of the same owner. */
async function twoWorkspaces() {
  const source = await newWorkspace();
  const { bot } = await source.owner.client.createBot({ name: 'Mover' });
  const { id } = await source.owner.client.createWorkspace({ name: 'Target' });
  const inTarget = { headers: { 'x-workspace-id': id } };
  return { source, bot, targetId: id, inTarget };
}

describe('POST /v1/admin/bots/{id}/transfer', () => {
  it('moves the bot and its usage to another workspace, and writes audit records in both', async () => {
    const { source, bot, targetId, inTarget } = await twoWorkspaces();

    await source.owner.client.transferBot({ id: bot.id, targetWorkspaceId: targetId });
    const { body } = await source.call('GET', `/bots/${bot.id}`, inTarget);
    const { body: usage } = await source.call('GET', `/usages/${targetId}?type=bot_count`, inTarget);
    const audits = [source.id, targetId].map(id => source.owner.client.getAuditRecords({ id }));

    expect(body.bot).toMatchObject({ id: bot.id, name: 'Mover', status: 'active' });
    await expect(source.owner.client.getBot({ id: bot.id })).rejects.toMatchObject(unknown);
    expect([await botCount(source), usage.usage.value]).toEqual([0, 1]);
    for (const { records } of await Promise.all(audits)) {
      expect(records).toContainEqual(expect.objectContaining({ action: 'TRANSFER_BOT', resourceId: bot.id }));
    }
  });

  it('revokes the keys of the bot', async () => {
    const { source, bot, targetId, inTarget } = await twoWorkspaces();
    const { value: token, id } = await source.owner.client.createBotApiKey({ botId: bot.id });
    const introspect = (token: string) =>
      source.call('POST', '/introspect', { token, body: { botId: bot.id }, ...inTarget });

    await source.owner.client.transferBot({ id: bot.id, targetWorkspaceId: targetId });
    const listed = await source.call('GET', `/bots/baks?botId=${bot.id}`, inTarget);
    const made = await source.call('POST', '/bots/baks', { body: { botId: bot.id }, ...inTarget });

    expect((await introspect(token)).body).toMatchObject({ code: 401, type: 'Unauthorized' });
    expect(listed.body.baks.map((key: { id: string }) => key.id)).not.toContain(id);
    expect((await introspect(made.body.value)).body).toEqual({ workspaceId: targetId, botId: bot.id, userId: bot.id });
  });

  it('returns 409 while a private integration of the source workspace is installed', async () => {
    const { source, targetId } = await twoWorkspaces();
    const { bot, integration } = await newBotWithIntegration(source);
    const transfer = () => source.call('POST', `/bots/${bot.id}/transfer`, { body: { targetWorkspaceId: targetId } });

    const refused = await transfer();
    await source.call('PUT', `/integrations/${integration.id}`, { body: { visibility: 'unlisted' } });
    const allowed = await transfer();

    expect(refused.body).toMatchObject({
      code: 409,
      type: 'ReferenceConstraint',
      message: expect.stringContaining('chat'),
    });
    expect(allowed.status).toBe(200);
  });

  it('returns 403 and moves nothing when the caller may not create bots in the target', async () => {
    const [source, target] = [await newWorkspace(), await newWorkspace()];
    const { bot } = await source.owner.client.createBot({});

    const transfer = source.owner.client.transferBot({ id: bot.id, targetWorkspaceId: target.id });

    await expect(transfer).rejects.toMatchObject({ code: 403, type: 'Forbidden' });
    expect([await botCount(source), await botCount(target)]).toEqual([1, 0]);
  });

  it('returns 403 to a developer', async () => {
    const { source, bot, targetId } = await twoWorkspaces();
    const developer = await source.join('developer');

    const transfer = developer.client.transferBot({ id: bot.id, targetWorkspaceId: targetId });

    await expect(transfer).rejects.toMatchObject({ code: 403, type: 'Forbidden' });
  });

  it('returns 400 when the bot is already there or the target is missing', async () => {
    const { source, bot } = await twoWorkspaces();
    const transfer = (body: object) => source.call('POST', `/bots/${bot.id}/transfer`, { body });

    const answers = [await transfer({ targetWorkspaceId: source.id }), await transfer({})];

    for (const { status, body } of answers) {
      expect(status).toBe(400);
      expect(body).toMatchObject({ type: 'InvalidPayload', metadata: { issues: [{ path: 'targetWorkspaceId' }] } });
    }
  });

  it('returns 404 when the bot is unknown or belongs to another workspace', async () => {
    const { source, targetId } = await twoWorkspaces();
    const { bot: other } = await (await newWorkspace()).owner.client.createBot({});

    const answers = await Promise.all(
      [crypto.randomUUID(), other.id].map(id =>
        source.call('POST', `/bots/${id}/transfer`, { body: { targetWorkspaceId: targetId } }),
      ),
    );

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });
});
