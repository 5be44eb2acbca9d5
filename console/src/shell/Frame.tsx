/** The frame of every page of a workspace: navigation, command palette and keyboard shortcuts. */
import '../styles/frame.css';
import { AppShell, Burger, Button, Group, ScrollArea, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useWorkspaceLive } from '../api/live/useLive.ts';
import { useInboxCounts } from '../api/useInboxCounts.ts';
import { useMember } from '../api/useMember.ts';
import { IconLock } from '../icons/tabler.ts';
import { shell } from '../messages/en/shell.ts';
import { translator } from '../messages/translate.ts';
import { isAllowed } from '../navigation/pages.ts';
import { onPaletteRequest } from '../navigation/paletteRequests.ts';
import { useCaller } from '../pages/inbox/useTeam.ts';
import { Logo } from '../parts/Logo.tsx';
import { useTitleCount } from '../parts/pageTitle.ts';
import { Empty, Failure, Loading } from '../parts/States.tsx';
import { AccountMenu } from './AccountMenu.tsx';
import { Navigation } from './Navigation.tsx';
import { OfflineNotice } from './OfflineNotice.tsx';
import { SearchButton } from './palette/SearchButton.tsx';
import { useShortcuts } from './palette/useShortcuts.ts';
import classes from './Shell.module.css';
import { WorkspaceSwitch } from './WorkspaceSwitch.tsx';

const t = translator('shell', shell);
const Palette = lazy(() => import('./palette/Palette.tsx').then(({ Palette }) => ({ default: Palette })));
const Alerts = lazy(() => import('../alerts/Alerts.tsx').then(({ Alerts }) => ({ default: Alerts })));
const Shortcuts = lazy(() => import('./palette/Shortcuts.tsx').then(({ Shortcuts }) => ({ default: Shortcuts })));

export function Frame() {
  const [paletteRequest, setPaletteRequest] = useState(0);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const openPalette = () => setPaletteRequest(before => before + 1);
  const openHelp = () => setHelpOpen(true);
  useEffect(() => onPaletteRequest(() => setPaletteRequest(before => before + 1)), []);
  // Concurrently with the role, which the pages wait for.
  useWorkspaceLive();
  useShortcuts({ onPalette: openPalette, onHelp: openHelp });
  const [isOpen, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a phone the menu closes when the page changes
  useEffect(close, [pathname]);
  return (
    <AppShell
      layout="alt"
      header={{ height: { base: 48, sm: 0 } }}
      navbar={{ width: 236, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={0}
    >
      <button type="button" className="skip" onClick={() => document.getElementById('main')?.focus()}>
        {t('skip')}
      </button>
      <AppShell.Header hiddenFrom="sm">
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger opened={isOpen} onClick={toggle} size="sm" aria-label={t('menu')} aria-expanded={isOpen} />
          <Logo size={22} />
          <Text fw={600}>Parley</Text>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar} aria-label={t('pages')}>
        <Group p={8} wrap="nowrap" gap={4}>
          <Burger opened onClick={close} size="sm" hiddenFrom="sm" aria-label={t('closeMenu')} />
          <WorkspaceSwitch />
        </Group>
        <Group px={8} pb={8}>
          <SearchButton onClick={openPalette} />
        </Group>
        <ScrollArea flex={1} px={8} pb={8} scrollbarSize={6} viewportProps={{ tabIndex: -1 }}>
          <Navigation />
        </ScrollArea>
        <div className={classes.foot} style={{ padding: 8 }}>
          <AccountMenu onShortcuts={openHelp} />
        </div>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <AllowedPage />
      </AppShell.Main>
      <MemberAlerts />
      <OfflineNotice />
      <Suspense>
        {paletteRequest > 0 && <Palette request={paletteRequest} onShortcuts={openHelp} />}
        {isHelpOpen && <Shortcuts isOpen onClose={() => setHelpOpen(false)} />}
      </Suspense>
    </AppShell>
  );
}

/** Alerts and counts those who can answer. */
function MemberAlerts() {
  const { ownId, mayHandle } = useCaller();
  const { waiting = 0, unread = 0, mentions = 0 } = useInboxCounts().data?.counts ?? {};
  useTitleCount(mayHandle ? waiting + unread + mentions : mentions);
  return <Suspense>{mayHandle && <Alerts ownId={ownId} />}</Suspense>;
}

/** Waits for the role, without which no page is shown. */
function AllowedPage() {
  const { data: member, error, refetch } = useMember();
  const { pathname } = useLocation();
  if (!member)
    return (
      <div style={{ padding: 24 }}>{error ? <Failure error={error} retry={() => void refetch()} /> : <Loading />}</div>
    );
  if (isAllowed(member.role, pathname)) return <Outlet />;
  return (
    <Empty
      Icon={IconLock}
      title={t('notAllowed')}
      action={
        <Button component={Link} to={'/inbox' as string} size="xs" variant="default">
          {t('toInbox')}
        </Button>
      }
    >
      {t('agentOnly')}
    </Empty>
  );
}
