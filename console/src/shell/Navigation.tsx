import { NavLink } from '@mantine/core';
import { useLocation, useRouter } from '@tanstack/react-router';
import { BotSwitch } from './BotSwitch.tsx';
import { BOT_PAGES, type PageOfConsole, WORKSPACE_PAGES } from './pages.ts';
import classes from './Shell.module.css';
import { useMaybeBotId } from './useRoute.ts';

/** Links to the pages of the workspace and of the open bot. */
export function Navigation() {
  const botId = useMaybeBotId();
  return (
    <>
      <Links label="Workspace" pages={WORKSPACE_PAGES} />
      {botId && (
        <>
          <div className={classes.group} aria-hidden>
            Bot
          </div>
          <BotSwitch botId={botId} />
          {BOT_PAGES.map(({ label, pages }) => (
            <Links key={label} label={label} pages={pages} prefix={`/bots/${botId}`} />
          ))}
        </>
      )}
    </>
  );
}

const Links = ({ label, pages, prefix = '' }: { label: string; pages: PageOfConsole[]; prefix?: string }) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
  <div role="group" aria-label={label || 'Bot'}>
    {label ? <div className={classes.group}>{label}</div> : <div style={{ height: 6 }} />}
    {pages.map(page => (
      <PageLink key={page.path} page={page} path={`${prefix}${page.path}`} />
    ))}
  </div>
);

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
      active={isHere}
      className={classes.link}
      {...(isHere ? { 'aria-current': 'page' as const } : {})}
    />
  );
}
