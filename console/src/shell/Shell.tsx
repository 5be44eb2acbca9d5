/** The frame around every page. It shows the sign-in page to callers without a session. */
import { AppShell, Burger, Group, ScrollArea, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { SignIn } from '../pages/SignIn.tsx';
import { WorkspaceChoice } from '../pages/WorkspaceChoice.tsx';
import { Logo } from '../parts/Logo.tsx';
import { useSession } from '../session/session.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { Navigation } from './Navigation.tsx';
import classes from './Shell.module.css';
import { WorkspaceSwitch } from './WorkspaceSwitch.tsx';

export function Shell() {
  const session = useSession();
  const [isOpen, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a phone the menu closes when the page changes
  useEffect(close, [pathname]);
  if (!session) return <SignIn />;
  if (!session.workspaceId) return <WorkspaceChoice />;

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
        <ScrollArea flex={1} px={8} pb={8} scrollbarSize={6} viewportProps={{ tabIndex: -1 }}>
          <Navigation />
        </ScrollArea>
        <div className={classes.foot} style={{ padding: 8 }}>
          <AccountMenu />
        </div>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <Outlet key={session.workspaceId} />
      </AppShell.Main>
    </AppShell>
  );
}
