/** The frame around every page; whoever is not signed in sees the sign-in instead. */
import {
  ActionIcon,
  AppShell,
  Burger,
  Button,
  Group,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMoon, IconSun } from '@tabler/icons-react';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { SignIn } from '../pages/SignIn.tsx';
import { WorkspaceChoice } from '../pages/WorkspaceChoice.tsx';
import { signOut, useSession } from '../session/session.ts';
import { Navigation } from './Navigation.tsx';
import { WorkspaceSwitch } from './WorkspaceSwitch.tsx';

function ColourSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  const label = isDark ? 'Use light colours' : 'Use dark colours';
  return (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label={label}
      title={label}
      onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
    >
      {isDark ? <IconSun size={18} /> : <IconMoon size={18} />}
    </ActionIcon>
  );
}

export function Shell() {
  const session = useSession();
  const [isOpen, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a phone the menu closes when the page changes
  useEffect(close, [pathname]);

  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 230, breakpoint: 'sm', collapsed: { mobile: !isOpen, desktop: !session?.workspaceId } }}
      padding={0}
    >
      <AppShell.Header>
        <button type="button" className="skip" onClick={() => document.getElementById('main')?.focus()}>
          Skip to the page
        </button>
        <Group h="100%" px="sm" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            {session?.workspaceId && (
              <Burger
                opened={isOpen}
                onClick={toggle}
                hiddenFrom="sm"
                size="sm"
                aria-label="Menu"
                aria-expanded={isOpen}
              />
            )}
            <Text fw={700}>Parley</Text>
            {session?.workspaceId && <WorkspaceSwitch />}
          </Group>
          <Group gap="xs" wrap="nowrap">
            <ColourSwitch />
            {session && (
              <Button variant="default" onClick={signOut}>
                Sign out
              </Button>
            )}
          </Group>
        </Group>
      </AppShell.Header>
      {session?.workspaceId && (
        <AppShell.Navbar p="xs" style={{ overflowY: 'auto' }} aria-label="Pages">
          <Navigation />
        </AppShell.Navbar>
      )}
      <AppShell.Main id="main" tabIndex={-1}>
        {!session ? <SignIn /> : session.workspaceId ? <Outlet key={session.workspaceId} /> : <WorkspaceChoice />}
      </AppShell.Main>
    </AppShell>
  );
}
