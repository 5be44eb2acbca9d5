import { describe, expect, it } from 'vitest';
import { install, newUser, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /conversations/{conversationId}/participants', () => {
  it('pages through all participants without repetition, with their current names', async () => {
    const installation = await install();
    const owner = await newUser(installation);
    await owner.client.createConversation({ id: 'c' });
    const guests = await Promise.all(Array.from({ length: 44 }, () => newUser(installation)));
    for (const { user } of guests) await owner.client.addParticipant({ conversationId: 'c', userId: user.id });
    const renamed = (await guests[0]!.client.updateUser({ name: 'Renamed' })).user;

    const listed = [];
    let nextToken: string | undefined;
    do {
      const page = await owner.client.listParticipants({ conversationId: 'c', nextToken });
      listed.push(...page.participants);
      nextToken = page.meta.nextToken;
    } while (nextToken);

    expect(listed.map(({ id }) => id).sort()).toEqual([owner, ...guests].map(({ user }) => user.id).sort());
    expect(listed).toContainEqual(renamed);
  });
});
