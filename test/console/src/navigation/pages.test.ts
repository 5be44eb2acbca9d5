/** Pages by role. */
import { expect, it } from 'vitest';
import { isAllowed, pagesFor } from '#console/src/navigation/pages.ts';

const keysOf = (role: string) => {
  const { workspace, bot } = pagesFor(role);
  return [...workspace, ...bot.flatMap(({ pages }) => pages)].flatMap(({ key }) => key ?? []);
};

it('shows an agent the inbox and no administration', () => {
  const { workspace, bot } = pagesFor('agent');

  expect(workspace.map(({ path }) => path)).toEqual(['/']);
  expect(bot.flatMap(({ pages }) => pages.map(({ path }) => path))).toEqual(['/inbox', '/replies']);
});

it('rejects the other pages for an agent, also by address', () => {
  for (const path of ['/members', '/usage', '/audit', '/bots/1', '/bots/1/conversations', '/bots/1/tables/2', '/else'])
    expect(isAllowed('agent', path), path).toBe(false);
  for (const path of ['/', '/bots/1/inbox', '/bots/1/inbox/convo_1', '/bots/1/replies'])
    expect(isAllowed('agent', path), path).toBe(true);
});

it('leaves other roles to the API', () => {
  for (const role of ['viewer', 'billing', 'owner', undefined]) expect(isAllowed(role, '/audit')).toBe(true);
});

it('gives every page its own key', () => {
  expect(new Set(keysOf('owner')).size).toBe(keysOf('owner').length);
});
