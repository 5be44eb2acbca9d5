/** Changes of handoffs as lines between the messages of a conversation. */
import type { Actor, Handoff } from '../../api/contract.ts';
import { conversation as texts } from '../../messages/en/conversation.ts';
import { translator } from '../../messages/translate.ts';
import type { ThreadMessage } from '../../parts/Thread.tsx';

const t = translator('conversation', texts);

/** A user who left the conversation has no name. */
const nameOf = ({ type, name }: Actor): string => (type === 'user' ? t('endUser') : name);

export function assignmentLine({ member, assignedBy }: Pick<Handoff, 'member' | 'assignedBy'>): string {
  if (assignedBy?.type === 'system') return t('lineAssignedAutomatically', { name: member!.name });
  if (!assignedBy || assignedBy.id === member!.id) return t('lineTakenOver', { name: member!.name });
  return t('lineAssigned', { actor: nameOf(assignedBy), member: member!.name });
}

export const ratingLine = ({ value, comment }: NonNullable<Handoff['rating']>): string =>
  comment
    ? t('lineRatedComment', { name: t('endUser'), value, comment })
    : t('lineRated', { name: t('endUser'), value });

const endOf = ({ outcome }: Handoff, name: string): string =>
  outcome === 'resolved' ? t('lineResolved', { name }) : t('lineEnded', { name });

/** Returns the lines, oldest first. */
export function handoffLines(handoffs: readonly Handoff[]): ThreadMessage[] {
  const lines = handoffs.flatMap(handoff => {
    const { startedAt, startedBy, reason, member, servedAt, endedAt, endedBy, rating } = handoff;
    const name = nameOf(startedBy);
    return [
      { at: startedAt, text: reason ? t('lineStartedReason', { name, reason }) : t('lineStarted', { name }) },
      ...(member && servedAt ? [{ at: servedAt, text: assignmentLine(handoff) }] : []),
      ...(endedAt && endedBy ? [{ at: endedAt, text: endOf(handoff, nameOf(endedBy)) }] : []),
      ...(rating ? [{ at: rating.ratedAt, text: ratingLine(rating) }] : []),
    ].map(({ at, text }, place) => ({
      id: `${handoff.id} ${place}`,
      createdAt: at,
      userId: '',
      type: 'text',
      payload: { text },
      variant: 'line' as const,
    }));
  });
  return lines.sort((a, b) => a.createdAt.localeCompare(b.createdAt));
}
