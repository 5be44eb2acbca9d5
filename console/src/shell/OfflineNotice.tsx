import { useNetwork } from '@mantine/hooks';
import { shell } from '../messages/en/shell.ts';
import { translator } from '../messages/translate.ts';
import classes from './Shell.module.css';

const t = translator('shell', shell);

/** States above every page that the browser has no connection, because an inbox without news looks the same. */
export function OfflineNotice() {
  const { online } = useNetwork();
  return (
    <div className={classes.offline} role="status">
      {!online && <span>{t('offline')}</span>}
    </div>
  );
}
