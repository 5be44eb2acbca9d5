import { Menu, UnstyledButton, useComputedColorScheme, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import { IconChevronUp, IconKeyboard, IconLogout, IconMoon, IconSun } from '@tabler/icons-react';
import { useMember } from '../api/useMember.ts';
import { Monogram } from '../parts/Monogram.tsx';
import { signOut } from '../session/session.ts';
import classes from './Shell.module.css';

export function useColourSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  return { isDark, toggle: () => setColorScheme(isDark ? 'light' : 'dark') };
}

export function AccountMenu({ onShortcuts }: { onShortcuts: () => void }) {
  const { data: member } = useMember();
  const { isDark, toggle } = useColourSwitch();
  const name = member?.displayName || member?.email || 'Account';
  return (
    <Menu position="top-start" width={240}>
      <Menu.Target>
        <UnstyledButton className={classes.switch}>
          <Monogram name={name} id={member?.id ?? ''} size={22} />
          <VisuallyHidden>Account: </VisuallyHidden>
          <span className={classes.name} style={{ fontWeight: 500 }}>
            {name}
          </span>
          <IconChevronUp size={14} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {member && <Menu.Label>{`${member.email} · ${member.role}`}</Menu.Label>}
        <Menu.Item leftSection={isDark ? <IconSun size={16} /> : <IconMoon size={16} />} onClick={toggle}>
          {isDark ? 'Light theme' : 'Dark theme'}
        </Menu.Item>
        <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={onShortcuts}>
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={signOut}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
