import { describe, expect, it } from 'vitest';
import { newInterface } from '#test/support/packages.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /v1/admin/interfaces/{id}', () => {
  it("returns the workspace's own interface, and another workspace's public one", async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const [own, published] = [await newInterface(mine), await newInterface(theirs, { public: true })];

    const found = await Promise.all([own.id, published.id].map(id => mine.owner.client.getInterface({ id })));

    expect(found.map(each => each.interface)).toEqual([own, published]);
  });

  it("returns 404 for another workspace's private interface, a plugin, and an invalid id", async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const { id } = await newInterface(theirs);

    const answers = await Promise.all(
      [id, id.replace('ifver', 'plugver'), 'nothing', 'a%23b'].map(each => mine.call('GET', `/interfaces/${each}`)),
    );

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });
});
