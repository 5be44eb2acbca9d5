/** Explains a change of a handoff that another member made first. */
import { CallError } from '../../api/parley.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { translator } from '../../messages/translate.ts';

const t = translator('inbox', inbox);

export interface Conflict {
  /** The assignee, or the actor who ended the handoff. */
  name: string | undefined;
  isEnded: boolean;
}

const nameIn = (value: unknown): string | undefined => {
  const { name } = (value ?? {}) as { name?: unknown };
  return typeof name === 'string' ? name : undefined;
};

/** Returns undefined for other errors. */
export function conflictOf(error: unknown): Conflict | undefined {
  if (!(error instanceof CallError) || error.type !== 'RelationConflict') return undefined;
  const { handoffId, member, endedBy } = error.metadata;
  // Other conflicts have a message that explains them.
  if (handoffId === undefined) return undefined;
  return { name: nameIn(member) ?? nameIn(endedBy), isEnded: endedBy !== undefined };
}

export function conflictText({ name, isEnded }: Conflict): string {
  if (name === undefined) return t('changed');
  return isEnded ? t('wasEnded', { name }) : t('wasTaken', { name });
}
