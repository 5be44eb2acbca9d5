import type { Actor, Handoff } from '../../api/contract.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { translator } from '../../messages/translate.ts';

const t = translator('inbox', inbox);

/**
 * Returns the name of the actor who changed a handoff. Automatic assignment has a name in each language. A customer
 * who left has no name, because their data may be erased.
 */
export const actorName = ({ type, name }: Actor): string =>
  type === 'user' ? t('customer') : type === 'system' ? t('system') : name;

/** States who ended a handoff, and how. Handoffs that ended automatically or in an earlier release have no outcome. */
export function endedText({ endedBy, outcome }: Pick<Handoff, 'endedBy' | 'outcome'>): string {
  const name = endedBy ? actorName(endedBy) : '';
  return outcome === undefined ? t('ended', { name }) : t(`ended_${outcome}`, { name });
}
