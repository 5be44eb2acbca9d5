import { Menu, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useBot, useRecentBots } from '../api/useBot.ts';
import { IconCheck, IconSelector } from '../icons/tabler.ts';
import { shell } from '../messages/en/shell.ts';
import { translator } from '../messages/translate.ts';
import { Monogram } from '../parts/Monogram.tsx';
import classes from './Shell.module.css';

const t = translator('shell', shell);

/** Returns the path after the bot's id, without further ids, to open the same page of another bot. */
const pageOfBot = (pathname: string): string => /^\/bots\/[^/]+(\/[^/]+)?/.exec(pathname)?.[1] ?? '';

export function BotSwitch({ botId }: { botId: string }) {
  const { data: bot } = useBot(botId);
  const [isOpen, setOpen] = useState(false);
  const { data: bots = [] } = useRecentBots(isOpen);
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const name = bot?.name || botId;
  return (
    <Menu position="bottom-start" width={260} opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <UnstyledButton className={`${classes.switch} ${classes.bot}`} title={name}>
          <Monogram name={name} id={botId} size={20} isSquare />
          <VisuallyHidden>{t('botLabel')}</VisuallyHidden>
          <span className={classes.name} dir="auto">
            {name}
          </span>
          <IconSelector size={14} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        <Menu.Label>{t('recentBots')}</Menu.Label>
        {bots.map(each => (
          <Menu.Item
            key={each.id}
            leftSection={<Monogram name={each.name || each.id} id={each.id} size={20} isSquare />}
            rightSection={each.id === botId && <IconCheck size={14} aria-label={t('current')} />}
            onClick={() => void navigate({ to: `/bots/${each.id}${pageOfBot(pathname)}` as string })}
          >
            {each.name || each.id}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={() => void navigate({ to: '/' })}>{t('allBots')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
