import { describe, expect, it } from 'vitest';
import { CODE, newPlugin } from '#test/support/packages.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /v1/admin/hub/plugins/{id}/code/{platform}', () => {
  it('returns the code of a public or unlisted plugin of any workspace', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const plugins = [
      await newPlugin(theirs, { visibility: 'public' }),
      await newPlugin(theirs, { visibility: 'unlisted' }),
    ];

    const answers = await Promise.all(
      plugins.map(({ id }) => mine.owner.client.getPublicPluginCode({ id, platform: 'browser' })),
    );

    expect(answers).toEqual([{ code: CODE.browser }, { code: CODE.browser }]);
  });

  it("returns 404 for a private plugin, even the caller's own", async () => {
    const workspace = await newWorkspace();
    const { id } = await newPlugin(workspace);

    const answer = await workspace.call('GET', `/hub/plugins/${id}/code/node`);

    expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });
});
