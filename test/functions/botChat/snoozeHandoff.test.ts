import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { fireTimer } from '#shared/events/timers/fireTimer.ts';
import { findTimer, listTimers, type Timer } from '#shared/storage/dynamodb/timers/timers.ts';
import { handoffsOf, newTalk, newWaiting, useTeam } from '#test/support/handoffs.ts';
import { eventually, settled, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const { team, as } = useTeam();

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const inMs = (ms: number) => new Date(clock.now() + ms).toISOString();
const tomorrow = () => inMs(DAY_MS);

/** Creates a conversation of a user that is assigned to Ada. */
async function newAssigned() {
  const talk = await newTalk(team.bot);
  const first = await talk.say('before');
  const { body } = await as(team.ada).start(talk.conversationId, { accountId: team.ada.accountId });
  const id: string = body.handoff.id;
  const read = (messageId: string) =>
    team.bot.call('PUT', `/handoffs/${id}/read`, { token: team.ada.token, body: { messageId } });
  const get = async () => (await as(team.ada).get(id)).body.handoff;
  return { ...talk, id, first, read, get };
}

const idsOf = async (query: string): Promise<string[]> =>
  (await as(team.ada).list(`?pageSize=100&${query}`)).body.handoffs.map(({ id }: { id: string }) => id);

async function timerOf(conversationId: string): Promise<Timer | undefined> {
  for await (const page of listTimers(clock.now() + 100 * DAY_MS)) {
    const found = page.find(({ pk }) => pk.endsWith(conversationId));
    if (found) return found;
  }
  return undefined;
}
/** Reads the timer of a handoff until the index has it. */
const timerSet = (conversationId: string) =>
  eventually(async () => {
    const timer = await timerOf(conversationId);
    expect(timer).toBeDefined();
    return timer!;
  });

describe('POST /v1/chat/handoffs/{id}/snooze', () => {
  it('lists the handoff only under snoozed, with an audit record', async () => {
    const { id, get } = await newAssigned();
    const until = tomorrow();

    const { status, body } = await as(team.ada).snooze(id, until);

    expect(status).toBe(200);
    expect(body.handoff).toMatchObject({
      status: 'served',
      snoozedUntil: until,
      latestSnooze: { by: { type: 'member', id: team.ada.accountId }, until },
      updatedBy: { id: team.ada.accountId },
    });
    expect(await get()).toEqual(body.handoff);
    const own = `accountId=${team.ada.accountId}`;
    await eventually(async () => expect(await idsOf('status=snoozed')).toContain(id));
    expect(await idsOf(`${own}&status=snoozed`)).toContain(id);
    for (const query of [own, 'status=served', 'status=waiting']) expect(await idsOf(query), query).not.toContain(id);
    expect(await idsOf('')).toContain(id);
    const { records } = await team.bot.workspace.owner.client.getAuditRecords({ id: team.bot.workspace.id });
    expect(records.map(({ value }) => value)).toContain(`SNOOZE_HANDOFF ${id} ${until}`);
  });

  it('sorts snoozed handoffs by their end, and counts them', async () => {
    const [late, soon] = [await newWaiting(team.bot), await newWaiting(team.bot)];
    await as(team.ada).snooze(late.id, inMs(3 * DAY_MS));
    await as(team.ada).snooze(soon.id, inMs(2 * DAY_MS));

    await eventually(async () => {
      const listed = (await idsOf('status=snoozed&sortDirection=asc')).filter(id => [late.id, soon.id].includes(id));
      expect(listed).toEqual([soon.id, late.id]);
    });

    const { body } = await team.bot.call('GET', '/handoff-counts', { token: team.ada.token });
    expect(body.counts.snoozed).toBe((await idsOf('status=snoozed')).length);
  });

  it('wakes at the time, once, unread and at the top of the list of its assignee', async () => {
    const { id, conversationId, first, read, get } = await newAssigned();
    const other = await newAssigned();
    await read(first);
    await as(team.ada).snooze(id, inMs(2 * MINUTE_MS));
    const timer = await timerSet(conversationId);

    const early = await fireTimer(timer, clock.now());
    expect([early, (await get()).snoozedUntil]).toEqual(['later', expect.any(String)]);
    const outcomes = await Promise.all([1, 2, 3].map(() => fireTimer(timer, timer.dueMs)));

    expect(outcomes.filter(each => each === 'done')).toHaveLength(1);
    const handoff = await get();
    expect(handoff).toMatchObject({
      status: 'served',
      isUnread: true,
      latestSnooze: { endedAt: expect.any(String) },
      updatedBy: { type: 'bot' },
    });
    expect(handoff.snoozedUntil).toBeUndefined();
    const own = `accountId=${team.ada.accountId}`;
    await eventually(async () => expect(await idsOf(`${own}&isUnread=true`)).toContain(id));
    const mine = await idsOf(own);
    expect(mine.indexOf(id)).toBeLessThan(mine.indexOf(other.id));

    await read(first);
    expect((await get()).isUnread).toBe(false);
    await eventually(async () => expect(await idsOf(`${own}&isUnread=true`)).not.toContain(id));
  });

  it('wakes when a user writes, and then has no timer', async () => {
    const { id, conversationId, say, get } = await newAssigned();
    await as(team.ada).snooze(id, tomorrow());
    const timer = await timerSet(conversationId);

    await say('Still there?');
    await settled();

    await eventually(async () => expect((await get()).snoozedUntil).toBeUndefined());
    expect(await get()).toMatchObject({ isUnread: true, updatedBy: { type: 'user' } });
    expect(await findTimer(timer)).toBeUndefined();
    await eventually(async () => expect(await idsOf(`accountId=${team.ada.accountId}&isUnread=true`)).toContain(id));
  });

  it('stays snoozed when the bot or the assignee writes', async () => {
    const { id, conversationId, get } = await newAssigned();
    await as(team.ada).snooze(id, tomorrow());

    const body = { type: 'text', payload: { text: 'I will come back to you.' } };
    await team.bot.call('POST', `/handoffs/${id}/messages`, { token: team.ada.token, body });
    await team.bot.client.createMessage({ ...body, type: 'text', conversationId, userId: team.bot.id, tags: {} });
    await settled();

    expect((await get()).snoozedUntil).toBeDefined();
  });

  it.each([
    ['null', (id: string) => as(team.ada).snooze(id, null)],
    ['an assignment to the same member', (id: string) => as(team.ada).assign(id)],
    ['an assignment to another member', (id: string) => as(team.ada).assign(id, { accountId: team.bob.accountId })],
    ['a return to the queue', (id: string) => as(team.ada).assign(id, { accountId: null })],
    ['its end', (id: string) => as(team.ada).end(id)],
  ])('ends with %s, and its timer then does nothing', async (_, end) => {
    const { id, conversationId, get } = await newAssigned();
    await as(team.ada).snooze(id, tomorrow());
    const timer = await timerSet(conversationId);

    const { status } = await end(id);

    const handoff = await get();
    expect([status, handoff.snoozedUntil]).toEqual([200, undefined]);
    expect(handoff.latestSnooze.endedAt).toBeDefined();
    expect(await fireTimer(timer, timer.dueMs)).toBe('gone');
    expect((await get()).updatedAt).toBe(handoff.updatedAt);
  });

  it('is unread for the assignee whose conversation another member wakes, and read if they wake it', async () => {
    const [byAda, byBob] = [await newAssigned(), await newAssigned()];
    for (const each of [byAda, byBob]) await as(team.ada).snooze(each.id, tomorrow());

    await as(team.ada).snooze(byAda.id, null);
    await as(team.bob).snooze(byBob.id, null, { servedBy: team.ada.accountId });

    expect([(await byAda.get()).isUnread, (await byBob.get()).isUnread]).toEqual([false, true]);
  });

  it('moves the end of a snooze, and changes nothing when it is repeated', async () => {
    const { id, conversationId } = await newAssigned();
    await as(team.ada).snooze(id, inMs(5 * MINUTE_MS));
    const until = tomorrow();

    const moved = await as(team.ada).snooze(id, until);
    const again = await as(team.ada).snooze(id, until);

    expect(again.body).toEqual(moved.body);
    await eventually(async () => expect((await timerOf(conversationId))?.dueMs).toBe(Date.parse(until)));
    const { id: other } = await newWaiting(team.bot);
    expect((await as(team.ada).snooze(other, null)).body.handoff.latestSnooze).toBeUndefined();
  });

  it('returns 409 with the assignee, unless the caller names that member, and for a closed handoff', async () => {
    const { id } = await newAssigned();

    const refused = [await as(team.bob).snooze(id, tomorrow()), await handoffsOf(team.bot).snooze(id, tomorrow())];
    const named = await as(team.bob).snooze(id, tomorrow(), { servedBy: team.ada.accountId });
    await as(team.ada).end(id);
    const closed = await as(team.ada).snooze(id, tomorrow());

    for (const each of refused)
      expect(each).toMatchObject({ status: 409, body: { metadata: { member: { id: team.ada.accountId } } } });
    expect(named.status).toBe(200);
    expect(closed).toMatchObject({ status: 409, body: { metadata: { endedBy: { id: team.ada.accountId } } } });
  });

  it.each([
    ['in the past', () => inMs(-MINUTE_MS)],
    ['less than a minute ahead', () => inMs(30_000)],
    ['more than 90 days ahead', () => inMs(91 * DAY_MS)],
    ['that is no time', () => 'tomorrow'],
  ])('returns 400 for a time %s', async (_, until) => {
    const { id } = await newWaiting(team.bot);

    const { status, body } = await as(team.ada).snooze(id, until());

    expect({ status, message: body.message }).toEqual({ status: 400, message: expect.stringContaining('until') });
  });

  it('returns to the queue, without the snooze, when the assignee is removed', async () => {
    const carol = await team.bot.workspace.join('agent');
    const { id } = await newWaiting(team.bot);
    await as(carol).assign(id);
    await as(carol).snooze(id, tomorrow());
    await settled();

    await team.bot.workspace.owner.client.deleteWorkspaceMember({ id: carol.memberId });
    await settled();

    await eventually(async () => {
      const { handoff } = (await as(team.ada).get(id)).body;
      expect([handoff.status, handoff.snoozedUntil]).toEqual(['waiting', undefined]);
    });
  });

  it('returns 404 for an unknown handoff', async () => {
    expect(await as(team.ada).snooze('no-such', tomorrow())).toMatchObject({ status: 404 });
  });
});
