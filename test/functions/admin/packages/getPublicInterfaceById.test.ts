import { describe, expect, it } from 'vitest';
import { newInterface } from '#test/support/packages.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /v1/admin/hub/interfaces/{id}', () => {
  it('returns a published interface of any workspace', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const published = await newInterface(theirs, { public: true });

    const { interface: found } = await mine.owner.client.getPublicInterfaceById({ id: published.id });

    expect(found).toEqual(published);
  });

  it("returns 404 for a private interface, even the caller's own, and for an unknown id", async () => {
    const workspace = await newWorkspace();
    const { id } = await newInterface(workspace);

    const answers = await Promise.all(
      [id, `${id.slice(0, -1)}_`, 'nothing'].map(each => workspace.call('GET', `/hub/interfaces/${each}`)),
    );

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });
});
