import { describe, expect, it } from 'vitest';
import { inboxOf, newInbox } from '#test/support/agents.ts';
import { useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('PUT /v1/chat/inbox/availability', () => {
  it('sets the availability of the caller only', async () => {
    const { bot, agents } = await newInbox({ assignment: 'manual' });
    const [ada, bob] = agents;

    const { status, body } = await inboxOf(bot.workspace, ada!.token).setAvailability('away');

    expect([status, body]).toEqual([200, { availability: 'away', availabilityChangedAt: expect.any(String) }]);
    const { agents: shown } = (await inboxOf(bot.workspace).agents()).body;
    const availabilityOf = (id: string) => shown.find((each: { id: string }) => each.id === id).availability;
    expect([availabilityOf(ada!.accountId), availabilityOf(bob!.accountId)]).toEqual(['away', 'online']);
  });

  it('returns 400 that names the possible values', async () => {
    const { bot } = await newInbox({ assignment: 'manual' }, 0);

    const { status, body } = await inboxOf(bot.workspace).setAvailability('offline');

    expect(status).toBe(400);
    expect(body.message).toMatch(/availability.*online.*away/);
  });

  it('returns 403 to members who may not be assigned', async () => {
    const { bot } = await newInbox({ assignment: 'manual' }, 0);
    const viewer = await bot.workspace.join('viewer');

    expect((await inboxOf(bot.workspace, viewer.token).setAvailability('online')).status).toBe(403);
  });
});
