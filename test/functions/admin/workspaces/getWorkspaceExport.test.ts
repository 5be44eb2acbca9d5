import { describe, expect, it } from 'vitest';
import { eventually, isLeftOut, newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe.skipIf(isLeftOut('faults'))('GET /v1/admin/workspaces/{id}/exports/{exportId}', () => {
  it('returns the progress of an export, and a new URL of the archive once it is complete', async () => {
    const workspace = await newWorkspace();
    const path = `/workspaces/${workspace.id}/exports`;
    const { body } = await workspace.call('POST', path, { body: {} });

    const ended = await eventually(async () => {
      const answer = await workspace.call('GET', `${path}/${body.export.id}`);
      expect(answer.body.export.status).toBe('completed');
      return answer.body.export;
    });
    const archive = await fetch(ended.url);

    expect(ended.lines).toBeGreaterThan(3);
    expect(archive.headers.get('content-disposition')).toContain(`${workspace.id}-${ended.id}.tar.gz`);
    expect((await archive.arrayBuffer()).byteLength).toBe(ended.bytes);
    expect(Date.parse(ended.expiresAt) - Date.parse(ended.createdAt)).toBeGreaterThan(6 * 86_400_000);
  });

  it('returns 404 for an unknown export', async () => {
    const workspace = await newWorkspace();

    const answers = await Promise.all(
      ['0123456789', 'x', '%20'].map(id => workspace.call('GET', `/workspaces/${workspace.id}/exports/${id}`)),
    );

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});
