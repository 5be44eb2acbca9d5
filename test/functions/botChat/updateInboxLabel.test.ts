import { describe, expect, it } from 'vitest';
import { labelsOf } from '#test/support/labels.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('PUT /v1/chat/inbox/labels/{id}', () => {
  it('changes the given fields and keeps the order', async () => {
    const labels = labelsOf(await newWorkspace());
    const [one, other] = [await labels.created('One'), await labels.created('Other', 'red')];

    const renamed = await labels.update(one.id, { name: 'ONE' });
    const recolored = await labels.update(one.id, { color: 'purple' });

    expect([renamed.status, recolored.status]).toEqual([200, 200]);
    expect(recolored.body.label).toEqual({ id: one.id, name: 'ONE', color: 'purple' });
    expect((await labels.list()).body.labels).toEqual([recolored.body.label, other]);
  });

  it('returns 409 for the name of another label', async () => {
    const labels = labelsOf(await newWorkspace());
    const [one] = [await labels.created('One'), await labels.created('Other')];

    expect((await labels.update(one.id, { name: 'other' })).status).toBe(409);
  });

  it('returns 404 for an unknown label and one of another workspace, and 403 to a developer', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()];
    const { id } = await labelsOf(workspace).created('One');
    const { token } = await workspace.join('developer');

    expect((await labelsOf(workspace).update('no-such', { name: 'a' })).status).toBe(404);
    expect((await labelsOf(other).update(id, { name: 'a' })).status).toBe(404);
    expect((await labelsOf(workspace, token).update(id, { name: 'a' })).status).toBe(403);
  });
});
