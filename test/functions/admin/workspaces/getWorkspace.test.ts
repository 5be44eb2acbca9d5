import { describe, expect, it } from 'vitest';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /v1/admin/workspaces/{id}', () => {
  it('returns the workspace and the number of its bots', async () => {
    const { id, owner } = await newWorkspace('Acme');
    const { bot } = await owner.client.createBot({});
    await owner.client.createBot({});
    await owner.client.deleteBot({ id: bot.id });

    const workspace = await owner.client.getWorkspace({ id });

    expect(workspace).toMatchObject({ id, name: 'Acme', ownerId: owner.accountId, botCount: 1, blocked: false });
  });

  it("returns the caller's workspace even if the header names another", async () => {
    const { owner } = await newWorkspace();
    const { id } = await owner.client.createWorkspace({ name: 'Other' });

    const workspace = await owner.client.getWorkspace({ id });

    expect(workspace).toMatchObject({ id, name: 'Other' });
  });

  it('returns 403 for another workspace and 404 for an unknown one', async () => {
    const { owner } = await newWorkspace();
    const other = await newWorkspace();

    const [foreign, unknown] = await Promise.allSettled([
      owner.client.getWorkspace({ id: other.id }),
      owner.client.getWorkspace({ id: 'wkspace_nobody' }),
    ]);

    expect([foreign, unknown]).toMatchObject([
      { reason: { code: 403, type: 'Forbidden' } },
      { reason: { code: 404, type: 'ResourceNotFound' } },
    ]);
  });
});
