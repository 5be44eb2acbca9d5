import { describe, expect, it } from 'vitest';
import { HANDOFF_PRIORITIES } from '#shared/storage/dynamodb/chat/handoffs.ts';
import { newWaiting, useTeam } from '#test/support/handoffs.ts';
import { eventually, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const { team, as } = useTeam();

const prioritize = (id: string, priority: string, token = team.ada.token) =>
  team.bot.call('PUT', `/handoffs/${id}/priority`, { token, body: { priority } });

/** Lists the given handoffs of the queue, page by page, in the order of the list. */
async function queueOf(ids: readonly string[], direction: 'asc' | 'desc'): Promise<string[]> {
  const found: string[] = [];
  for (let nextToken = ''; ; ) {
    const page = nextToken === '' ? '' : `&nextToken=${encodeURIComponent(nextToken)}`;
    const { body } = await as(team.ada).list(`?status=waiting&pageSize=2&sortDirection=${direction}${page}`);
    found.push(...body.handoffs.map(({ id }: { id: string }) => id));
    if (body.meta.nextToken === undefined) return found.filter(id => ids.includes(id));
    nextToken = body.meta.nextToken;
  }
}

describe('PUT /v1/chat/handoffs/{id}/priority', () => {
  it('sorts the queue by priority, then by start, in both directions', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 8; i++) ids.push((await newWaiting(team.bot)).id);
    const inOrder = ['low', 'urgent', 'normal', 'high', 'low', 'urgent', 'normal', 'high'];
    for (const [i, id] of ids.entries()) expect((await prioritize(id, inOrder[i]!)).status).toBe(200);

    const places = (direction: 'asc' | 'desc') =>
      HANDOFF_PRIORITIES.flatMap(priority => {
        const own = ids.filter((_, i) => inOrder[i] === priority);
        return direction === 'asc' ? own : own.reverse();
      });

    await eventually(async () => expect(await queueOf(ids, 'asc')).toEqual(places('asc')));
    await eventually(async () => expect(await queueOf(ids, 'desc')).toEqual(places('desc')));
  });

  it('keeps the assignee and the author of the last change, and writes an audit record', async () => {
    const { id } = await newWaiting(team.bot);
    await as(team.ada).assign(id);
    const before = (await as(team.ada).get(id)).body.handoff;

    const { body } = await prioritize(id, 'high', team.bob.token);

    expect(body.handoff).toEqual({ ...before, priority: 'high' });
    expect((await prioritize(id, 'high')).body).toEqual(body);
    const { records } = await team.bot.workspace.owner.client.getAuditRecords({ id: team.bot.workspace.id });
    expect(records.filter(({ value }) => value === `PRIORITIZE_HANDOFF ${id} high`)).toHaveLength(1);
  });

  it('starts a handoff with a priority, and keeps that of an open one', async () => {
    const { id, conversationId } = await newWaiting(team.bot);
    await prioritize(id, 'urgent');

    const { body } = await as(team.ada).start(conversationId, { priority: 'low' });

    expect(body.handoff).toMatchObject({ id, priority: 'urgent' });
    await as(team.ada).end(id);
    expect((await as(team.ada).start(conversationId, { priority: 'low' })).body.handoff.priority).toBe('low');
  });

  it('returns 409 for a closed handoff, and 400 for an unknown priority', async () => {
    const { id } = await newWaiting(team.bot);
    expect((await prioritize(id, 'soon')).status).toBe(400);
    await as(team.ada).end(id);

    const { status, body } = await prioritize(id, 'high');

    expect([status, body.type]).toEqual([409, 'RelationConflict']);
  });
});
