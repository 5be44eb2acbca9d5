/** The command palette: pages, bots, conversations by id, and actions. */
import '@mantine/spotlight/styles.layer.css';
import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight';
import {
  IconKeyboard,
  IconLogout,
  IconMessages,
  IconMoon,
  IconPlus,
  IconSearch,
  IconSun,
  IconSwitchHorizontal,
  IconTable,
  IconUserPlus,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useWorkspaceId } from '../../api/clients.ts';
import { useWorkspaces } from '../../api/useWorkspaces.ts';
import { Monogram } from '../../parts/Monogram.tsx';
import { signOut } from '../../session/session.ts';
import { useColourSwitch } from '../AccountMenu.tsx';
import { BOT_PAGES, type PageOfConsole, WORKSPACE_PAGES } from '../pages.ts';
import { useBot, useRecentBots } from '../useBot.ts';
import { useMaybeBotId } from '../useRoute.ts';
import { useSwitchWorkspace } from '../WorkspaceSwitch.tsx';
import classes from './Palette.module.css';
import { conversationIdOf, useOpenConversation } from './useOpenConversation.ts';

interface PaletteProps {
  /** Each change opens the palette. */
  request: number;
  onShortcuts: () => void;
}

export function Palette({ request, onShortcuts }: PaletteProps) {
  const [query, setQuery] = useState('');
  const botId = useMaybeBotId();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new request opens the palette
  useEffect(() => spotlight.open(), [request]);
  const groups = [
    useConversationGroup(query, botId),
    useBotPageGroup(botId),
    useWorkspacePageGroup(),
    useBotGroup(botId),
    useActionGroup(botId, onShortcuts),
  ].filter(({ actions }) => actions.length > 0);
  return (
    <Spotlight
      actions={groups}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      classNames={{ action: classes.action!, actionSection: classes.section!, search: classes.search! }}
      attributes={{ content: { 'aria-label': 'Command palette' } }}
      nothingFound="No results"
      highlightQuery
      scrollable
      maxHeight={440}
      searchProps={{
        leftSection: <IconSearch size={18} stroke={1.5} aria-hidden />,
        placeholder: 'Search pages, bots and actions, or paste a conversation id',
        'aria-label': 'Search pages, bots and actions',
      }}
    />
  );
}

type Group = SpotlightActionGroupData & { actions: SpotlightActionData[] };

function usePageActions(pages: PageOfConsole[], prefix: string): SpotlightActionData[] {
  const navigate = useNavigate();
  return pages.map(({ path, label, Icon, key }) => ({
    id: `${prefix}${path}`,
    label,
    leftSection: <Icon size={18} stroke={1.5} aria-hidden />,
    ...(key ? { rightSection: <Keys keys={['g', key]} /> } : {}),
    onClick: () => void navigate({ to: `${prefix}${path}` as string }),
  }));
}

const Keys = ({ keys }: { keys: string[] }) => (
  <span className={classes.keys} aria-hidden>
    {keys.join(' ').toUpperCase()}
  </span>
);

function useWorkspacePageGroup(): Group {
  return { group: 'Workspace', actions: usePageActions(WORKSPACE_PAGES, '') };
}

function useBotPageGroup(botId: string | undefined): Group {
  const { data: bot } = useBot(botId);
  const actions = usePageActions(
    BOT_PAGES.flatMap(({ pages }) => pages),
    `/bots/${botId}`,
  );
  return { group: bot?.name || 'Bot', actions: botId ? actions : [] };
}

function useBotGroup(botId: string | undefined): Group {
  const navigate = useNavigate();
  const { data: bots = [] } = useRecentBots();
  return {
    group: 'Bots',
    actions: bots
      .filter(({ id }) => id !== botId)
      .map(({ id, name }) => ({
        id,
        label: name || id,
        keywords: id,
        leftSection: <Monogram name={name || id} id={id} size={22} isSquare />,
        onClick: () => void navigate({ to: `/bots/${id}` as string }),
      })),
  };
}

function useConversationGroup(query: string, openBotId: string | undefined): Group {
  const openConversation = useOpenConversation(openBotId);
  const id = conversationIdOf(query);
  return {
    group: 'Conversations',
    actions: id
      ? [
          {
            id: 'conversation',
            label: `Open ${id}`,
            leftSection: <IconMessages size={18} stroke={1.5} aria-hidden />,
            onClick: () => void openConversation(id),
          },
        ]
      : [],
  };
}

function useActionGroup(botId: string | undefined, onShortcuts: () => void): Group {
  const navigate = useNavigate();
  const { isDark, toggle } = useColourSwitch();
  const workspaceId = useWorkspaceId();
  const { data: workspaces = [] } = useWorkspaces();
  const switchWorkspace = useSwitchWorkspace();
  const go = (to: string, dialog: string) => void navigate({ to, search: { new: dialog } } as never);
  const action = (id: string, label: string, Icon: typeof IconPlus, onClick: () => void): SpotlightActionData => ({
    id,
    label,
    leftSection: <Icon size={18} stroke={1.5} aria-hidden />,
    onClick,
  });
  return {
    group: 'Actions',
    actions: [
      action('new bot', 'New bot', IconPlus, () => go('/', 'bot')),
      ...(botId ? [action('new table', 'New table', IconTable, () => go(`/bots/${botId}/tables`, 'table'))] : []),
      action('invite', 'Invite member', IconUserPlus, () => go('/members', 'member')),
      action('theme', isDark ? 'Light theme' : 'Dark theme', isDark ? IconSun : IconMoon, toggle),
      action('shortcuts', 'Keyboard shortcuts', IconKeyboard, onShortcuts),
      ...workspaces
        .filter(({ id }) => id !== workspaceId)
        .map(({ id, name }) =>
          action(`workspace ${id}`, `Switch to ${name}`, IconSwitchHorizontal, () => switchWorkspace(id)),
        ),
      action('sign out', 'Sign out', IconLogout, signOut),
    ],
  };
}
