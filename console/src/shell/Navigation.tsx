import { Divider, NavLink, Text } from '@mantine/core';
import {
  IconBolt,
  IconBox,
  IconChartBar,
  IconClipboardList,
  IconDatabase,
  IconFile,
  IconGauge,
  IconMessage,
  IconMessages,
  IconParking,
  IconRobot,
  IconRoute,
  IconTable,
  IconTerminal,
  IconUser,
  IconUsers,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useRouter } from '@tanstack/react-router';
import { useAdminClient } from '../api/clients.ts';
import { useMaybeBotId } from './useRoute.ts';

const WORKSPACE_PAGES = [
  { path: '/', label: 'Bots', Icon: IconRobot },
  { path: '/members', label: 'Members', Icon: IconUsers },
  { path: '/usage', label: 'Usage', Icon: IconGauge },
  { path: '/audit', label: 'Audit', Icon: IconClipboardList },
];

const BOT_PAGES = [
  { path: '', label: 'Overview', Icon: IconBox },
  { path: '/chat', label: 'Try it', Icon: IconMessage },
  { path: '/conversations', label: 'Conversations', Icon: IconMessages },
  { path: '/files', label: 'Files', Icon: IconFile },
  { path: '/tables', label: 'Tables', Icon: IconTable },
  { path: '/users', label: 'Users', Icon: IconUser },
  { path: '/events', label: 'Events', Icon: IconBolt },
  { path: '/workflows', label: 'Workflows', Icon: IconRoute },
  { path: '/states', label: 'States', Icon: IconDatabase },
  { path: '/analytics', label: 'Analytics', Icon: IconChartBar },
  { path: '/logs', label: 'Logs', Icon: IconTerminal },
  { path: '/parked', label: 'Parked changes', Icon: IconParking },
];

export function useBot(botId: string | undefined) {
  const client = useAdminClient();
  return useQuery({
    queryKey: ['bot', botId],
    queryFn: async () => (await client.getBot({ id: botId! })).bot,
    enabled: botId !== undefined,
  });
}

export function Navigation() {
  const botId = useMaybeBotId();
  const { data: bot } = useBot(botId);
  return (
    <>
      {WORKSPACE_PAGES.map(page => (
        <PageLink key={page.path} {...page} />
      ))}
      {botId && (
        <>
          <Divider my="xs" />
          <Text size="sm" fw={600} px="xs" truncate title={bot?.name}>
            {bot?.name ?? 'Bot'}
          </Text>
          {BOT_PAGES.map(page => (
            <PageLink key={page.path} {...page} path={`/bots/${botId}${page.path}`} isWhole={page.path === ''} />
          ))}
        </>
      )}
    </>
  );
}

interface PageLinkProps {
  path: string;
  label: string;
  Icon: typeof IconBox;
  /** Whether pages below it are others. */
  isWhole?: boolean;
}

function PageLink({ path, label, Icon, isWhole = false }: PageLinkProps) {
  const { pathname } = useLocation();
  const router = useRouter();
  const isHere = pathname === path || (path !== '/' && !isWhole && pathname.startsWith(`${path}/`));
  return (
    <NavLink
      href={router.history.createHref(path)}
      label={label}
      leftSection={<Icon size={18} aria-hidden />}
      active={isHere}
      {...(isHere ? { 'aria-current': 'page' as const } : {})}
    />
  );
}
