/** Pages by role. */
import { expect, it } from 'vitest';
import { isAllowed, pagesFor } from '#console/src/navigation/pages.ts';

const keysOf = (role: string) => {
  const { workspace, bot } = pagesFor(role);
  return [...workspace, ...bot.flatMap(({ pages }) => pages)].flatMap(({ key }) => key ?? []);
};

it('shows agents the inbox but no administration pages', () => {
  const { workspace, bot } = pagesFor('agent');

  expect(workspace.map(({ path }) => path)).toEqual(['/inbox']);
  expect(bot.flatMap(({ pages }) => pages.map(({ path }) => path))).toEqual(['/replies']);
});

it('denies agents the other pages, even by URL', () => {
  for (const path of [
    '/members',
    '/usage',
    '/audit',
    '/bots/1',
    '/bots/1/conversations',
    '/bots/1/tables/2',
    '/inboxes',
  ])
    expect(isAllowed('agent', path), path).toBe(false);
  for (const path of ['/', '/inbox', '/inbox/1/convo_1', '/bots/1/replies'])
    expect(isAllowed('agent', path), path).toBe(true);
});

it('allows every page to other roles, because the API checks access', () => {
  for (const role of ['viewer', 'billing', 'owner', undefined]) expect(isAllowed(role, '/audit')).toBe(true);
});

it('gives every page its own key', () => {
  expect(new Set(keysOf('owner')).size).toBe(keysOf('owner').length);
});
