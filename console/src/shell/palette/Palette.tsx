/** The command palette: pages, bots, customers, conversations by id, and actions. */
import '@mantine/spotlight/styles.layer.css';
import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useWorkspaceId } from '../../api/clients.ts';
import { signOut } from '../../api/signIn.ts';
import { useBot, useRecentBots } from '../../api/useBot.ts';
import { useWorkspaces } from '../../api/useWorkspaces.ts';
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
  IconUser,
  IconUserPlus,
} from '../../icons/tabler.ts';
import { shell } from '../../messages/en/shell.ts';
import { translator } from '../../messages/translate.ts';
import { pageActions } from '../../navigation/pageActions.ts';
import type { PageOfConsole } from '../../navigation/pages.ts';
import { useIsAgent, usePages } from '../../navigation/usePages.ts';
import { useMaybeBotId } from '../../navigation/useRoute.ts';
import { Monogram } from '../../parts/Monogram.tsx';
import { useColourSwitch } from '../AccountMenu.tsx';
import { useSwitchWorkspace } from '../WorkspaceSwitch.tsx';
import classes from './Palette.module.css';
import { useCustomerGroup } from './useCustomerGroup.tsx';
import { conversationIdOf, useOpenConversation } from './useOpenConversation.ts';

const t = translator('shell', shell);

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
    useCustomerGroup(query),
    openPageGroup(),
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
      attributes={{ content: { 'aria-label': t('palette') } }}
      nothingFound={t('noResults')}
      highlightQuery
      scrollable
      maxHeight={440}
      searchProps={{
        leftSection: <IconSearch size={18} stroke={1.5} aria-hidden />,
        placeholder: t('palettePlaceholder'),
        'aria-label': t('paletteSearch'),
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

/** Actions of the open conversation. */
const openPageGroup = (): Group => ({
  group: t('conversation'),
  actions: pageActions().map(({ id, label, key, Icon, run }) => ({
    id,
    label,
    leftSection: <Icon size={18} stroke={1.5} aria-hidden />,
    rightSection: <Keys keys={[key]} />,
    onClick: run,
  })),
});

function useWorkspacePageGroup(): Group {
  return { group: t('workspace'), actions: usePageActions(usePages().workspace, '') };
}

function useBotPageGroup(botId: string | undefined): Group {
  const { data: bot } = useBot(botId);
  const actions = usePageActions(
    usePages().bot.flatMap(({ pages }) => pages),
    `/bots/${botId}`,
  );
  return { group: bot?.name || t('bot'), actions: botId ? actions : [] };
}

function useBotGroup(botId: string | undefined): Group {
  const navigate = useNavigate();
  const isAgent = useIsAgent();
  const { data: bots = [] } = useRecentBots();
  return {
    group: t('bots'),
    actions: bots
      .filter(({ id }) => id !== botId)
      .map(({ id, name }) => ({
        id,
        label: name || id,
        keywords: id,
        leftSection: <Monogram name={name || id} id={id} size={22} isSquare />,
        onClick: () =>
          void navigate(isAgent ? { to: '/inbox' as string, search: { bot: id } } : { to: `/bots/${id}` as string }),
      })),
  };
}

function useConversationGroup(query: string, openBotId: string | undefined): Group {
  const openConversation = useOpenConversation(openBotId);
  const id = conversationIdOf(query);
  return {
    group: t('conversations'),
    actions: id
      ? [
          {
            id: 'conversation',
            label: t('openId', { id }),
            leftSection: <IconMessages size={18} stroke={1.5} aria-hidden />,
            onClick: () => void openConversation(id),
          },
        ]
      : [],
  };
}

function useActionGroup(botId: string | undefined, onShortcuts: () => void): Group {
  const navigate = useNavigate();
  const isAgent = useIsAgent();
  const { isDark, toggle } = useColourSwitch();
  const workspaceId = useWorkspaceId();
  const { data: workspaces = [] } = useWorkspaces();
  const switchWorkspace = useSwitchWorkspace();
  const go = (to: string, dialog: string) => void navigate({ to, search: { new: dialog } });
  const action = (id: string, label: string, Icon: typeof IconPlus, onClick: () => void): SpotlightActionData => ({
    id,
    label,
    leftSection: <Icon size={18} stroke={1.5} aria-hidden />,
    onClick,
  });
  return {
    group: t('actions'),
    actions: [
      ...(isAgent
        ? []
        : [
            action('new bot', t('newBot'), IconPlus, () => go('/', 'bot')),
            ...(botId
              ? [action('new table', t('newTable'), IconTable, () => go(`/bots/${botId}/tables`, 'table'))]
              : []),
            action('invite', t('invite'), IconUserPlus, () => go('/members', 'member')),
          ]),
      action('theme', t(isDark ? 'lightTheme' : 'darkTheme'), isDark ? IconSun : IconMoon, toggle),
      action('shortcuts', t('shortcuts'), IconKeyboard, onShortcuts),
      ...workspaces
        .filter(({ id }) => id !== workspaceId)
        .map(({ id, name }) =>
          action(`workspace ${id}`, t('switchTo', { name }), IconSwitchHorizontal, () => switchWorkspace(id)),
        ),
      action('account', t('account'), IconUser, () => void navigate({ to: '/account' })),
      action('sign out', t('signOut'), IconLogout, signOut),
    ],
  };
}
