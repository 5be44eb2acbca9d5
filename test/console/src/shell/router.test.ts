/** Routes of the pages. */
import { createMemoryHistory } from '@tanstack/react-router';
import { expect, it } from 'vitest';
import { pagesFor } from '#console/src/navigation/pages.ts';
import { createConsoleRouter } from '#console/src/shell/router.tsx';

const router = createConsoleRouter(createMemoryHistory());
const matchOf = (path: string) => {
  const match = router.matchRoutes(path, {}).at(-1)!;
  return { params: match.params, isFound: match.routeId !== '__root__' };
};

it('has a route for every page of the navigation', () => {
  const { workspace, bot } = pagesFor('owner');
  const paths = [...workspace, ...bot.flatMap(({ pages }) => pages.map(({ path }) => ({ path: `/bots/b1${path}` })))];

  for (const { path } of paths) expect(matchOf(path), path).toMatchObject({ isFound: true });
});

it('parses ids in a path', () => {
  expect(matchOf('/inbox/b1/convo_1')).toMatchObject({ params: { botId: 'b1', conversationId: 'convo_1' } });
  expect(matchOf('/bots/b1/tables/ordersTable')).toMatchObject({ params: { botId: 'b1', table: 'ordersTable' } });
});

it('finds no route for other paths', () => {
  expect(matchOf('/nonsense').isFound).toBe(false);
});
