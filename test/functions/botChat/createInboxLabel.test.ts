import { describe, expect, it } from 'vitest';
import { labelsOf } from '#test/support/labels.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('POST /v1/chat/inbox/labels', () => {
  it('creates a label and an audit record', async () => {
    const workspace = await newWorkspace();

    const { status, body } = await labelsOf(workspace).create({ name: 'Billing', color: 'teal' });

    expect(status).toBe(201);
    expect(body.label).toEqual({ id: expect.stringMatching(/^label_\w{22}$/), name: 'Billing', color: 'teal' });
    const { records } = await workspace.owner.client.getAuditRecords({ id: workspace.id });
    expect(records[0]).toMatchObject({ resourceName: 'Billing', value: 'CREATE_INBOX_LABEL Billing, teal' });
  });

  it('returns 409 for a name that differs only in case, also for one of two concurrent calls', async () => {
    const labels = labelsOf(await newWorkspace());
    await labels.created('Ärger');

    const same = await labels.create({ name: 'ÄRGER', color: 'red' });
    const both = await Promise.all(['vip', 'VIP'].map(name => labels.create({ name, color: 'red' })));

    expect(same).toMatchObject({ status: 409, body: { type: 'AlreadyExists' } });
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect((await labels.list()).body.labels).toHaveLength(2);
  });

  it('keeps the labels of concurrent calls', async () => {
    const labels = labelsOf(await newWorkspace());
    const names = Array.from({ length: 6 }, (_, i) => `label ${i}`);

    await Promise.all(names.map(name => labels.created(name)));

    const { body } = await labels.list();
    expect(body.labels.map(({ name }: { name: string }) => name).sort()).toEqual(names);
  });

  it('returns 413 for the 101st label', async () => {
    const labels = labelsOf(await newWorkspace());
    for (let i = 0; i < 100; i++) await labels.created(`label ${i}`);

    const { status, body } = await labels.create({ name: 'one more', color: 'red' });

    expect({ status, type: body.type }).toEqual({ status: 413, type: 'LimitExceeded' });
  });

  it.each([
    ['an empty name', { name: '', color: 'red' }],
    ['an invisible name', { name: '\u200b', color: 'red' }],
    ['a name of 51 characters', { name: 'a'.repeat(51), color: 'red' }],
    ['another color', { name: 'a', color: 'pink' }],
    ['a missing color', { name: 'a' }],
  ])('returns 400 for %s', async (_, body) => {
    expect((await labelsOf(await newWorkspace()).create(body)).status).toBe(400);
  });

  it.each(['agent', 'viewer', 'developer'] as const)('returns 403 to the role %s', async role => {
    const workspace = await newWorkspace();
    const { token } = await workspace.join(role);

    expect((await labelsOf(workspace, token).create({ name: 'a', color: 'red' })).status).toBe(403);
  });
});
