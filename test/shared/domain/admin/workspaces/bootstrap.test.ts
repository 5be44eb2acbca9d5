import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { bootstrap } from '#shared/domain/admin/workspaces/bootstrap.ts';
import { handle, handleOf } from '#shared/domain/admin/workspaces/handle.ts';
import { findWorkspace } from '#shared/storage/dynamodb/workspace/workspaces.ts';
import { useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('handleOf', () => {
  it.each([
    ['Acme Tea', 'acme-tea'],
    ['  Café & Söhne  ', 'cafe-sohne'],
    ['HQ', 'hq-workspace'],
    ['東京', 'workspace'],
    ['x'.repeat(100), 'x'.repeat(40)],
  ])('derives a valid handle from the name %j', (name, expected) => {
    const derived = handleOf(name);

    expect(derived).toBe(expected);
    expect(handle().safeParse(derived).success).toBe(true);
  });
});

describe('bootstrap', () => {
  it('gives each workspace a handle of its own, so that integrations can be deployed', async () => {
    const name = `Acme ${randomUUID().slice(0, 8)}`;

    const [first, second] = await Promise.all(
      ['one', 'two'].map(local => bootstrap(`${local}-${randomUUID()}@example.com`, name)),
    );
    const handles = await Promise.all(
      [first, second].map(async each => (await findWorkspace(each!.workspaceId))?.handle),
    );

    expect(handles).toContain(handleOf(name));
    expect(new Set(handles).size).toBe(2);
    for (const each of handles) expect(handle().safeParse(each).success).toBe(true);
  });
});
