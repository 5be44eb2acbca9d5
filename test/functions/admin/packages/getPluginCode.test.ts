import { describe, expect, it } from 'vitest';
import { CODE, newPlugin } from '#test/support/packages.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /v1/admin/plugins/{id}/code/{platform}', () => {
  it.each(['node', 'browser'] as const)('returns the code for %s unchanged', async platform => {
    const workspace = await newWorkspace();
    const code = { ...CODE, [platform]: `// ${'grüße '.repeat(200_000)}` };
    const { id } = await newPlugin(workspace, { code });

    const answer = await workspace.owner.client.getPluginCode({ id, platform });

    expect(answer.code).toBe(code[platform]);
  });

  it("returns 404 for another workspace's private plugin, and 400 for an unknown platform", async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const [own, foreign] = [await newPlugin(mine), await newPlugin(theirs)];

    const answers = await Promise.all(
      [`${foreign.id}/code/node`, `${own.id}/code/deno`, `${own.id}/code/constructor`].map(path =>
        mine.call('GET', `/plugins/${path}`),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual([404, 400, 400]);
  });
});
