/** Pages of a workspace and of a bot, for the navigation and the command palette. */
import {
  IconBolt,
  IconChartBar,
  IconClipboardList,
  IconDatabase,
  IconFile,
  IconGauge,
  IconLayoutDashboard,
  IconMailExclamation,
  IconMessage,
  IconMessages,
  IconRobot,
  IconRoute,
  IconTable,
  IconTerminal2,
  IconUser,
  IconUsers,
} from '@tabler/icons-react';

export interface PageOfConsole {
  path: string;
  label: string;
  Icon: typeof IconRobot;
  /** The key after `g`. */
  key?: string;
}

export interface PageGroup {
  label: string;
  pages: PageOfConsole[];
}

export const WORKSPACE_PAGES: PageOfConsole[] = [
  { path: '/', label: 'Bots', Icon: IconRobot, key: 'b' },
  { path: '/members', label: 'Members', Icon: IconUsers, key: 'm' },
  { path: '/usage', label: 'Usage', Icon: IconGauge },
  { path: '/audit', label: 'Audit log', Icon: IconClipboardList },
];

/** Paths relative to the bot's. */
export const BOT_PAGES: PageGroup[] = [
  {
    label: '',
    pages: [
      { path: '', label: 'Overview', Icon: IconLayoutDashboard, key: 'o' },
      { path: '/chat', label: 'Test chat', Icon: IconMessage, key: 't' },
    ],
  },
  {
    label: 'Conversations',
    pages: [
      { path: '/conversations', label: 'Conversations', Icon: IconMessages, key: 'c' },
      { path: '/users', label: 'Users', Icon: IconUser, key: 'u' },
    ],
  },
  {
    label: 'Data',
    pages: [
      { path: '/files', label: 'Files', Icon: IconFile, key: 'f' },
      { path: '/tables', label: 'Tables', Icon: IconTable, key: 'd' },
      { path: '/states', label: 'States', Icon: IconDatabase },
    ],
  },
  {
    label: 'Activity',
    pages: [
      { path: '/events', label: 'Events', Icon: IconBolt, key: 'e' },
      { path: '/workflows', label: 'Workflows', Icon: IconRoute, key: 'w' },
      { path: '/logs', label: 'Logs', Icon: IconTerminal2, key: 'l' },
      { path: '/analytics', label: 'Analytics', Icon: IconChartBar, key: 'a' },
      { path: '/parked', label: 'Dead letters', Icon: IconMailExclamation },
    ],
  },
];
