/** Online state of the customer, below their name. */
import { presence } from '../../messages/en/presence.ts';
import { translator } from '../../messages/translate.ts';
import { PresenceDot } from '../../parts/Presence.tsx';
import { formatAgo, formatWhole } from '../../parts/time.ts';
import classes from './Presence.module.css';
import { usePresence } from './usePresence.ts';

const t = translator('presence', presence);

export function VisitorStatus({ botId, id }: { botId: string; id: string }) {
  const { isOnline, lastSeenAt } = usePresence(botId, id)?.visitor ?? {};
  // Customers of other channels have no connections.
  if (!isOnline && lastSeenAt === undefined) return null;
  return (
    <div className={classes.status} data-visitor={isOnline ? 'online' : 'away'}>
      <PresenceDot presence={isOnline ? 'online' : 'offline'} />
      {isOnline ? (
        <span>{t('online')}</span>
      ) : (
        <span title={formatWhole(lastSeenAt!)}>
          <span className={classes.wide}>{t('lastSeen', { time: formatAgo(lastSeenAt!) })}</span>
          <span className={classes.narrow} aria-hidden>
            {formatAgo(lastSeenAt!)}
          </span>
        </span>
      )}
    </div>
  );
}
