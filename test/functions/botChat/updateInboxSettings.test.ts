import { describe, expect, it } from 'vitest';
import { inboxOf } from '#test/support/agents.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('PUT /v1/chat/inbox/settings', () => {
  it('changes the given settings, keeps the others, and writes an audit record', async () => {
    const workspace = await newWorkspace();
    const inbox = inboxOf(workspace);
    await inbox.setSettings({ maxOpenPerAgent: 7 });

    const { status, body } = await inbox.setSettings({ assignment: 'automatic', releaseAfterMinutes: 5 });

    expect(status).toBe(200);
    expect(body.settings).toEqual({ assignment: 'automatic', maxOpenPerAgent: 7, releaseAfterMinutes: 5 });
    expect((await inbox.settings()).body).toEqual(body);
    const { records } = await workspace.owner.client.getAuditRecords({ id: workspace.id });
    expect(records[0]).toMatchObject({
      userId: workspace.owner.accountId,
      value: 'UPDATE_INBOX_SETTINGS assignment automatic, releaseAfterMinutes 5',
    });
  });

  it('keeps concurrent changes of different settings', async () => {
    const inbox = inboxOf(await newWorkspace());

    await Promise.all([inbox.setSettings({ assignment: 'automatic' }), inbox.setSettings({ maxOpenPerAgent: 9 })]);

    expect((await inbox.settings()).body.settings).toMatchObject({ assignment: 'automatic', maxOpenPerAgent: 9 });
  });

  it.each([
    ['an empty body', {}],
    ['another assignment', { assignment: 'random' }],
    ['a limit of 0', { maxOpenPerAgent: 0 }],
    ['a limit above 100', { maxOpenPerAgent: 101 }],
    ['a fraction', { maxOpenPerAgent: 1.5 }],
    ['another release time', { releaseAfterMinutes: 10 }],
  ])('returns 400 for %s', async (_, settings) => {
    expect((await inboxOf(await newWorkspace()).setSettings(settings)).status).toBe(400);
  });

  it.each(['agent', 'viewer', 'developer'] as const)('returns 403 to the role %s', async role => {
    const workspace = await newWorkspace();
    const { token } = await workspace.join(role);

    expect((await inboxOf(workspace, token).setSettings({ assignment: 'manual' })).status).toBe(403);
  });
});
