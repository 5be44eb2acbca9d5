/** The frame of every page. Shows the sign-in page without a session. */
import { AppShell, Burger, Group, ScrollArea, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { SignIn } from '../pages/SignIn.tsx';
import { WorkspaceChoice } from '../pages/WorkspaceChoice.tsx';
import { Logo } from '../parts/Logo.tsx';
import { useSession } from '../session/session.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { Navigation } from './Navigation.tsx';
import { SearchButton } from './palette/SearchButton.tsx';
import { useShortcuts } from './palette/useShortcuts.ts';
import classes from './Shell.module.css';
import { WorkspaceSwitch } from './WorkspaceSwitch.tsx';

const Palette = lazy(() => import('./palette/Palette.tsx').then(({ Palette }) => ({ default: Palette })));
const Shortcuts = lazy(() => import('./palette/Shortcuts.tsx').then(({ Shortcuts }) => ({ default: Shortcuts })));

export function Shell() {
  const session = useSession();
  if (!session) return <SignIn />;
  if (!session.workspaceId) return <WorkspaceChoice />;
  return <Frame key={session.workspaceId} />;
}

function Frame() {
  const [paletteRequest, setPaletteRequest] = useState(0);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const openPalette = () => setPaletteRequest(before => before + 1);
  const openHelp = () => setHelpOpen(true);
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
        Skip to the page
      </button>
      <AppShell.Header hiddenFrom="sm">
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger opened={isOpen} onClick={toggle} size="sm" aria-label="Menu" aria-expanded={isOpen} />
          <Logo size={22} />
          <Text fw={600}>Parley</Text>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar} aria-label="Pages">
        <Group p={8} wrap="nowrap" gap={4}>
          <Burger opened onClick={close} size="sm" hiddenFrom="sm" aria-label="Close the menu" />
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
        <Outlet />
      </AppShell.Main>
      <Suspense>
        {paletteRequest > 0 && <Palette request={paletteRequest} onShortcuts={openHelp} />}
        {isHelpOpen && <Shortcuts isOpen onClose={() => setHelpOpen(false)} />}
      </Suspense>
    </AppShell>
  );
}
