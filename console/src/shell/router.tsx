/** Routes of the pages. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouterHistory,
  redirect,
  type SearchMiddleware,
} from '@tanstack/react-router';
import { NotFound } from '../pages/NotFound.tsx';
import { Failure, Loading } from '../parts/States.tsx';
import { Shell } from './Shell.tsx';

const root = createRootRoute({ component: Shell });

const page = <const Path extends string>(path: Path, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => root, path, component });

const conversations = page(
  '/bots/$botId/conversations',
  lazyRouteComponent(() => import('../pages/conversations/Conversations.tsx'), 'Conversations'),
);
conversations.addChildren([
  createRoute({
    getParentRoute: () => conversations,
    path: '/',
    component: lazyRouteComponent(() => import('../pages/conversations/Conversations.tsx'), 'NoConversation'),
  }),
  createRoute({
    getParentRoute: () => conversations,
    path: '$conversationId',
    component: lazyRouteComponent(() => import('../pages/conversations/Conversation.tsx'), 'Conversation'),
  }),
]);

/** Keeps the text of a search while conversations are opened and closed. Links clear it with `undefined`. */
const keepSearchText: SearchMiddleware<object> = ({ search, next }) => {
  const result = next(search);
  const isInInbox = location.hash.startsWith('#/inbox');
  return !isInInbox || 'q' in result || !('q' in search) ? result : { ...result, q: search.q };
};

const inbox = createRoute({
  getParentRoute: () => root,
  path: '/inbox',
  component: lazyRouteComponent(() => import('../pages/inbox/Inbox.tsx'), 'Inbox'),
  search: { middlewares: [keepSearchText] },
});
inbox.addChildren([
  createRoute({
    getParentRoute: () => inbox,
    path: '/',
    component: lazyRouteComponent(() => import('../pages/inbox/Inbox.tsx'), 'NoInboxConversation'),
  }),
  createRoute({
    getParentRoute: () => inbox,
    path: '$botId/$conversationId',
    component: lazyRouteComponent(() => import('../pages/inbox/InboxConversation.tsx'), 'InboxConversation'),
  }),
]);

/** Addresses of the inboxes of bots, which bookmarks of an earlier release contain. */
const formerInbox = createRoute({
  getParentRoute: () => root,
  path: '/bots/$botId/inbox/{-$conversationId}',
  beforeLoad: ({ params: { botId, conversationId }, search }) => {
    const to = conversationId === undefined ? '/inbox' : `/inbox/${botId}/${conversationId}`;
    throw redirect({ to: to as '/', search: { ...search, bot: botId } as never, replace: true });
  },
});

const routeTree = root.addChildren([
  page(
    '/',
    lazyRouteComponent(() => import('../pages/Bots.tsx'), 'Bots'),
  ),
  page(
    '/settings',
    lazyRouteComponent(() => import('../pages/workspaceSettings/WorkspaceSettings.tsx'), 'WorkspaceSettings'),
  ),
  page(
    '/members',
    lazyRouteComponent(() => import('../pages/Members.tsx'), 'Members'),
  ),
  page(
    '/account',
    lazyRouteComponent(() => import('../pages/Account.tsx'), 'Account'),
  ),
  page(
    '/reports',
    lazyRouteComponent(() => import('../pages/reports/Reports.tsx'), 'Reports'),
  ),
  page(
    '/usage',
    lazyRouteComponent(() => import('../pages/Usage.tsx'), 'Usage'),
  ),
  page(
    '/audit',
    lazyRouteComponent(() => import('../pages/Audit.tsx'), 'Audit'),
  ),
  page(
    '/bots/$botId',
    lazyRouteComponent(() => import('../pages/overview/Overview.tsx'), 'Overview'),
  ),
  page(
    '/bots/$botId/chat',
    lazyRouteComponent(() => import('../pages/chat/Chat.tsx'), 'Chat'),
  ),
  page(
    '/bots/$botId/integrations',
    lazyRouteComponent(() => import('../pages/integrations/Integrations.tsx'), 'Integrations'),
  ),
  page(
    '/bots/$botId/widget',
    lazyRouteComponent(() => import('../pages/widget/Widget.tsx'), 'Widget'),
  ),
  page(
    '/bots/$botId/settings',
    lazyRouteComponent(() => import('../pages/settings/Settings.tsx'), 'Settings'),
  ),
  inbox,
  formerInbox,
  conversations,
  page(
    '/bots/$botId/replies',
    lazyRouteComponent(() => import('../pages/replies/Replies.tsx'), 'Replies'),
  ),
  page(
    '/bots/$botId/users',
    lazyRouteComponent(() => import('../pages/Users.tsx'), 'Users'),
  ),
  page(
    '/bots/$botId/events',
    lazyRouteComponent(() => import('../pages/Events.tsx'), 'Events'),
  ),
  page(
    '/bots/$botId/files',
    lazyRouteComponent(() => import('../pages/files/Files.tsx'), 'Files'),
  ),
  page(
    '/bots/$botId/tables',
    lazyRouteComponent(() => import('../pages/tables/Tables.tsx'), 'Tables'),
  ),
  page(
    '/bots/$botId/tables/$table',
    lazyRouteComponent(() => import('../pages/tables/TablePage.tsx'), 'TablePage'),
  ),
  page(
    '/bots/$botId/workflows',
    lazyRouteComponent(() => import('../pages/Workflows.tsx'), 'Workflows'),
  ),
  page(
    '/bots/$botId/states',
    lazyRouteComponent(() => import('../pages/BotStates.tsx'), 'BotStates'),
  ),
  page(
    '/bots/$botId/analytics',
    lazyRouteComponent(() => import('../pages/Analytics.tsx'), 'Analytics'),
  ),
  page(
    '/bots/$botId/logs',
    lazyRouteComponent(() => import('../pages/logs/Logs.tsx'), 'Logs'),
  ),
  page(
    '/bots/$botId/dead-letters',
    lazyRouteComponent(() => import('../pages/DeadLetters.tsx'), 'DeadLetters'),
  ),
]);

export const createConsoleRouter = (history: RouterHistory) =>
  createRouter({
    routeTree,
    history,
    defaultPreload: 'intent',
    defaultPendingComponent: Loading,
    defaultErrorComponent: ({ error, reset }) => <Failure error={error} retry={reset} />,
    defaultNotFoundComponent: () => <NotFound />,
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
