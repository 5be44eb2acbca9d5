import { Menu, UnstyledButton, useComputedColorScheme, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { signOut } from '../api/signIn.ts';
import { useOwnAvailability } from '../api/useAgents.ts';
import { useMember } from '../api/useMember.ts';
import {
  IconBook,
  IconCheck,
  IconChevronUp,
  IconCode,
  IconKeyboard,
  IconLanguage,
  IconLogout,
  IconMoon,
  IconSun,
  IconUser,
} from '../icons/tabler.ts';
import { shell } from '../messages/en/shell.ts';
import { chooseLanguage, LANGUAGES, type Language, language } from '../messages/language.ts';
import { translator } from '../messages/translate.ts';
import { apiReference, guide } from '../navigation/guides.ts';
import { Monogram } from '../parts/Monogram.tsx';
import { PresenceDot } from '../parts/Presence.tsx';
import classes from './Shell.module.css';

const t = translator('shell', shell);

export function useColourSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  return { isDark, toggle: () => setColorScheme(isDark ? 'light' : 'dark') };
}

/** Shown to members who may be assigned to conversations. */
function Availability() {
  const { availability, set } = useOwnAvailability();
  if (availability === undefined) return null;
  return (
    <>
      {(['online', 'away'] as const).map(each => (
        <Menu.Item
          key={each}
          closeMenuOnClick={false}
          leftSection={
            <span style={{ display: 'inline-grid', width: 16, placeItems: 'center' }}>
              <PresenceDot presence={each} />
            </span>
          }
          rightSection={each === availability && <IconCheck size={14} aria-label={t('current')} />}
          onClick={() => set(each)}
        >
          {t(each)}
        </Menu.Item>
      ))}
      <Menu.Divider />
    </>
  );
}

export function AccountMenu({ onShortcuts }: { onShortcuts: () => void }) {
  const { data: member } = useMember();
  const { isDark, toggle } = useColourSwitch();
  const name = member?.displayName || member?.email || t('account');
  return (
    <Menu position="top-start" width={240}>
      <Menu.Target>
        <UnstyledButton className={classes.switch}>
          <Monogram name={name} id={member?.id ?? ''} size={22} />
          <VisuallyHidden>{t('accountLabel')}</VisuallyHidden>
          <span className={classes.name} dir="auto" style={{ fontWeight: 500 }}>
            {name}
          </span>
          <IconChevronUp size={14} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {member && (
          <Menu.Label>
            <bdi>{member.email}</bdi> · {t(`role_${member.role}`)}
          </Menu.Label>
        )}
        <Availability />
        <Menu.Item leftSection={isDark ? <IconSun size={16} /> : <IconMoon size={16} />} onClick={toggle}>
          {t(isDark ? 'lightTheme' : 'darkTheme')}
        </Menu.Item>
        <Menu.Item leftSection={<IconKeyboard size={16} />} onClick={onShortcuts}>
          {t('shortcuts')}
        </Menu.Item>
        <Menu.Item
          component="a"
          href={guide('console')}
          target="_blank"
          rel="noreferrer"
          leftSection={<IconBook size={16} />}
        >
          {t('documentation')}
        </Menu.Item>
        <Menu.Item
          component="a"
          href={apiReference()}
          target="_blank"
          rel="noreferrer"
          leftSection={<IconCode size={16} />}
        >
          {t('apiReference')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t('language')}</Menu.Label>
        {(Object.entries(LANGUAGES) as [Language, string][]).map(([tag, name]) => (
          <Menu.Item
            key={tag}
            lang={tag}
            leftSection={<IconLanguage size={16} />}
            rightSection={tag === language && <IconCheck size={14} aria-label={t('current')} />}
            onClick={() => chooseLanguage(tag)}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component={Link} to={'/account' as string} leftSection={<IconUser size={16} />}>
          {t('account')}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={signOut}>
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
