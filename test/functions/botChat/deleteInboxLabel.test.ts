import { describe, expect, it } from 'vitest';
import { handoffsOf, newConversation } from '#test/support/handoffs.ts';
import { labelConversation, labelsOf } from '#test/support/labels.ts';
import { newBot, newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('DELETE /v1/chat/inbox/labels/{id}', () => {
  it('deletes a label, which then neither filters nor can be added, and whose id an addition removes', async () => {
    const bot = await newBot();
    const labels = labelsOf(bot.workspace);
    const [old, current] = [await labels.created('Old'), await labels.created('Current')];
    const id = await newConversation(bot);
    await handoffsOf(bot).start(id);
    await labelConversation(bot, id, { add: [old.id] });

    const { status } = await labels.remove(old.id);

    const { token } = bot.workspace.owner;
    const filtered = await bot.call('GET', `/inbox/handoffs?labelId=${old.id}`, {
      token,
      headers: { 'x-workspace-id': bot.workspace.id },
    });
    const again = await labelConversation(bot, id, { add: [old.id] });
    const added = await labelConversation(bot, id, { add: [current.id] });
    expect(status).toBe(200);
    expect((await labels.list()).body.labels).toEqual([current]);
    expect(filtered).toMatchObject({ status: 200, body: { handoffs: [], meta: {} } });
    expect(again.status).toBe(400);
    expect(added.body.conversation.labelIds).toEqual([current.id]);
  });

  it('returns 404 for an unknown label and one of another workspace, and 403 to a developer', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()];
    const { id } = await labelsOf(workspace).created('One');
    const { token } = await workspace.join('developer');

    expect((await labelsOf(workspace).remove('no-such')).status).toBe(404);
    expect((await labelsOf(other).remove(id)).status).toBe(404);
    expect((await labelsOf(workspace, token).remove(id)).status).toBe(403);
    expect((await labelsOf(workspace).list()).body.labels).toHaveLength(1);
  });
});
