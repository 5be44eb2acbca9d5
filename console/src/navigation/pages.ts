/** Pages of a workspace and of a bot, for the navigation and the command palette. */
import {
  IconBolt,
  IconChartBar,
  IconClipboardList,
  IconDatabase,
  IconFile,
  IconGauge,
  IconInbox,
  IconLayoutDashboard,
  IconMailExclamation,
  IconMessage,
  IconMessage2Bolt,
  IconMessageCircle,
  IconMessages,
  IconPlugConnected,
  IconReportAnalytics,
  IconRobot,
  IconRoute,
  IconSettings,
  IconTable,
  IconTerminal2,
  IconUser,
  IconUsers,
} from '../icons/tabler.ts';
import { shell } from '../messages/en/shell.ts';
import { translator } from '../messages/translate.ts';

export interface PageOfConsole {
  path: string;
  label: string;
  Icon: typeof IconRobot;
  /** The key after `g`. */
  key?: string;
  /** True for pages that agents may open. Other pages are hidden from them. */
  isForAgents?: boolean;
}

interface PageGroup {
  label: string;
  pages: PageOfConsole[];
}

/** Pages by scope. Paths of a bot's pages are relative to the bot's path. */
export interface Pages {
  workspace: PageOfConsole[];
  bot: PageGroup[];
}

const t = translator('shell', shell);

const all = (): Pages => ({
  workspace: [
    { path: '/inbox', label: t('inbox'), Icon: IconInbox, key: 'i', isForAgents: true },
    { path: '/', label: t('bots'), Icon: IconRobot, key: 'b' },
    { path: '/members', label: t('members'), Icon: IconUsers, key: 'm' },
    { path: '/reports', label: t('reports'), Icon: IconReportAnalytics, key: 'p' },
    { path: '/usage', label: t('usage'), Icon: IconGauge },
    { path: '/audit', label: t('audit'), Icon: IconClipboardList },
    { path: '/settings', label: t('workspaceSettings'), Icon: IconSettings },
  ],
  bot: [
    {
      label: '',
      pages: [
        { path: '', label: t('overview'), Icon: IconLayoutDashboard, key: 'o' },
        { path: '/chat', label: t('chat'), Icon: IconMessage, key: 't' },
        { path: '/integrations', label: t('integrations'), Icon: IconPlugConnected, key: 'n' },
        { path: '/widget', label: t('widget'), Icon: IconMessageCircle },
        { path: '/settings', label: t('settings'), Icon: IconSettings, key: 's' },
      ],
    },
    {
      label: t('people'),
      pages: [
        { path: '/conversations', label: t('conversations'), Icon: IconMessages, key: 'c' },
        { path: '/users', label: t('users'), Icon: IconUser, key: 'u' },
        { path: '/replies', label: t('replies'), Icon: IconMessage2Bolt, key: 'r', isForAgents: true },
      ],
    },
    {
      label: t('data'),
      pages: [
        { path: '/files', label: t('files'), Icon: IconFile, key: 'f' },
        { path: '/tables', label: t('tables'), Icon: IconTable, key: 'd' },
        { path: '/states', label: t('states'), Icon: IconDatabase },
      ],
    },
    {
      label: t('activity'),
      pages: [
        { path: '/events', label: t('events'), Icon: IconBolt, key: 'e' },
        { path: '/workflows', label: t('workflows'), Icon: IconRoute, key: 'w' },
        { path: '/logs', label: t('logs'), Icon: IconTerminal2, key: 'l' },
        { path: '/analytics', label: t('analytics'), Icon: IconChartBar, key: 'a' },
        { path: '/dead-letters', label: t('deadLetters'), Icon: IconMailExclamation },
      ],
    },
  ],
});

/** Pages that agents can open. The API enforces the same permissions. */
export function pagesFor(role: string | undefined): Pages {
  const pages = all();
  if (role !== 'agent') return pages;
  const allowed = (each: PageOfConsole[]) => each.filter(({ isForAgents }) => isForAgents);
  return {
    workspace: allowed(pages.workspace),
    bot: pages.bot
      .map(group => ({ ...group, pages: allowed(group.pages) }))
      .filter(({ pages: { length } }) => length > 0),
  };
}

/** Account page, opened from the account menu, and the start page, which leads agents to the inbox. */
const FOR_EVERYONE = ['/account', '/'];
const BOT_PATH = /^\/bots\/[^/]+(\/[^/]+)?/;

/** Returns true if the role may open the page at this path. Pages below a bot's page have its access. */
export function isAllowed(role: string | undefined, pathname: string): boolean {
  if (role !== 'agent' || FOR_EVERYONE.includes(pathname)) return true;
  const pages = pagesFor(role);
  const ofBot = BOT_PATH.exec(pathname);
  if (!ofBot) return pages.workspace.some(({ path }) => pathname === path || pathname.startsWith(`${path}/`));
  return pages.bot.some(group => group.pages.some(({ path }) => path === (ofBot[1] ?? '')));
}
