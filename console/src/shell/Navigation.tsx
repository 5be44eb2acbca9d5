import { NavLink } from '@mantine/core';
import { useLocation, useRouter } from '@tanstack/react-router';
import { useInboxCounts } from '../api/useInboxCounts.ts';
import { shell } from '../messages/en/shell.ts';
import { translator } from '../messages/translate.ts';
import type { PageOfConsole } from '../navigation/pages.ts';
import { usePages } from '../navigation/usePages.ts';
import { useMaybeBotId } from '../navigation/useRoute.ts';
import { shownCount } from '../parts/shownCount.ts';
import { BotSwitch } from './BotSwitch.tsx';
import classes from './Shell.module.css';

const t = translator('shell', shell);

/** Links to the pages of the workspace and of the open bot. */
export function Navigation() {
  const openBotId = useMaybeBotId();
  const { pathname } = useLocation();
  // The inbox is a page of the workspace, although its address contains the bot of the open conversation.
  const botId = pathname.startsWith('/bots/') ? openBotId : undefined;
  const pages = usePages();
  return (
    <>
      <Links label={t('workspace')} pages={pages.workspace} />
      {botId && (
        <>
          <div className={classes.group} aria-hidden>
            {t('bot')}
          </div>
          <BotSwitch botId={botId} />
          {pages.bot.map(group => (
            <Links key={group.label} label={group.label} pages={group.pages} prefix={`/bots/${botId}`} />
          ))}
        </>
      )}
    </>
  );
}

const Links = ({ label, pages, prefix = '' }: { label: string; pages: PageOfConsole[]; prefix?: string }) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
  <div role="group" aria-label={label || t('bot')}>
    {label ? <div className={classes.group}>{label}</div> : <div style={{ height: 6 }} />}
    {pages.map(page => (
      <PageLink key={page.path} page={page} path={`${prefix}${page.path}`} />
    ))}
  </div>
);

/** Conversations in the queue, and those of the member with new messages. */
function InboxCounts() {
  const { waiting = 0, unread = 0, mentions = 0 } = useInboxCounts().data?.counts ?? {};
  return (
    <span className={classes.counts}>
      {unread > 0 && (
        <span className={classes.count} data-kind="unread" title={t('unreadCount', { count: unread })}>
          {shownCount(unread)}
        </span>
      )}
      {mentions > 0 && (
        <span className={classes.count} data-kind="unread" title={t('mentionCount', { count: mentions })}>
          @{shownCount(mentions)}
        </span>
      )}
      {waiting > 0 && (
        <span className={classes.count} title={t('waitingCount', { count: waiting })}>
          {shownCount(waiting)}
        </span>
      )}
    </span>
  );
}

function PageLink({ page: { label, Icon, path: ownPath }, path }: { page: PageOfConsole; path: string }) {
  const { pathname } = useLocation();
  const router = useRouter();
  const hasPagesBelow = ownPath !== '' && ownPath !== '/';
  const isHere = pathname === path || (hasPagesBelow && pathname.startsWith(`${path}/`));
  return (
    <NavLink
      href={router.history.createHref(path)}
      label={label}
      leftSection={<Icon size={16} stroke={1.75} aria-hidden />}
      rightSection={path === '/inbox' && <InboxCounts />}
      active={isHere}
      className={classes.link}
      {...(isHere ? { 'aria-current': 'page' as const } : {})}
    />
  );
}
