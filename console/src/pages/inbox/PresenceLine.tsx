/** Shows above the composer who types, and which colleagues have the conversation open. */
import type { Presence } from '../../api/contract.ts';
import { joinNames } from '../../messages/bidi.ts';
import { presence } from '../../messages/en/presence.ts';
import { translator } from '../../messages/translate.ts';
import { Person } from '../../parts/Person.tsx';
import { personName } from '../../parts/personName.ts';
import classes from './Presence.module.css';
import { usePeople } from './usePeople.ts';
import { usePresence } from './usePresence.ts';
import { useTeam } from './useTeam.ts';
import { useThread } from './useThread.ts';

const t = translator('presence', presence);

type Member = Presence['members'][number];

/** More colleagues are named in one phrase. */
const MOST_PHRASES = 2;

export function PresenceLine({ botId, id }: { botId: string; id: string }) {
  const { visitor, members = [] } = usePresence(botId, id) ?? {};
  const { ownId } = useTeam();
  const others = members.filter(member => member.id !== ownId);
  const isTyping = useIsTyping(botId, id, visitor?.typingAt);
  const { users } = usePeople(botId, id);
  const [user] = users;
  return (
    <div className={classes.people} role="status" aria-label={t('people')}>
      {isTyping && (
        <span className={classes.typing} data-typing>
          {t.rich('typing', { name: <bdi>{user ? personName(user) : ''}</bdi> })}
        </span>
      )}
      <Colleagues members={others} />
    </div>
  );
}

/** A message ends the typing that preceded it. */
function useIsTyping(botId: string, id: string, typingAt: string | undefined): boolean {
  const { items } = useThread(botId, id);
  const people = usePeople(botId, id);
  if (typingAt === undefined) return false;
  const latest = items.find(({ userId }) => !people.isTeam(userId));
  return latest === undefined || Date.parse(latest.createdAt) < Date.parse(typingAt);
}

function Colleagues({ members }: { members: readonly Member[] }) {
  if (members.length === 0) return null;
  const writing = members.filter(({ state }) => state !== 'viewing');
  const viewing = members.filter(({ state }) => state === 'viewing');
  const areJoined = viewing.length + writing.length > MOST_PHRASES && viewing.length > 1;
  return (
    <span className={classes.members}>
      {writing.map(member => (
        <Colleague key={member.id} member={member} />
      ))}
      {areJoined ? (
        <span className={classes.member}>
          {t.rich('viewingMany', { names: <bdi>{joinNames(viewing.map(({ name }) => name))}</bdi> })}
        </span>
      ) : (
        viewing.map(member => <Colleague key={member.id} member={member} />)
      )}
    </span>
  );
}

function Colleague({ member: { id, name, state } }: { member: Member }) {
  const { members } = useTeam();
  const pictureUrl = members.find(({ userId }) => userId === id)?.pictureUrl;
  return (
    <span className={classes.member} data-colleague={state} data-writing={state !== 'viewing'}>
      <Person name={name} id={id} pictureUrl={pictureUrl} size={16} />
      <span>{t.rich(state, { name: <bdi>{name}</bdi> })}</span>
    </span>
  );
}
