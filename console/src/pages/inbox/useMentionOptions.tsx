/** The list of members that an `@` in a note opens. The focus stays in the field. */
import { VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, type RefObject, useId } from 'react';
import { inbox } from '../../messages/en/inbox.ts';
import { translator } from '../../messages/translate.ts';
import { Person } from '../../parts/Person.tsx';
import type { Draft } from './drafts.ts';
import classes from './Inbox.module.css';
import { atBefore, matchingMembers, type Named } from './mentionTexts.ts';
import { useFieldOptions } from './useFieldOptions.ts';
import { useTeam } from './useTeam.ts';

const t = translator('inbox', inbox);

const MAX_SHOWN = 6;

export function useMentionOptions(
  field: RefObject<HTMLTextAreaElement | null>,
  draft: Draft,
  onChange: (draft: Draft) => void,
) {
  const listId = useId();
  const { members, ownId } = useTeam();
  const { caret, isClosed, close, activeOf, ...keys } = useFieldOptions('@');
  const at = draft.isNote && !isClosed ? atBefore(draft.text, caret) : undefined;
  const others = members.filter(({ userId, mayRead }) => mayRead && userId !== ownId);
  const options = at
    ? matchingMembers(
        others.map(({ userId, name }) => ({ id: userId, name })),
        at.query,
        MAX_SHOWN,
      )
    : [];
  const isOpen = at !== undefined && options.length > 0;
  const active = activeOf(options);
  const choose = ({ name }: Named) => {
    if (!at) return;
    const start = `${draft.text.slice(0, at.start)}@${name} `;
    onChange({ ...draft, text: start + draft.text.slice(caret) });
    close();
    // Runs after the text is rendered.
    requestAnimationFrame(() => field.current?.setSelectionRange(start.length, start.length));
  };
  return {
    onKeyDown: (event: KeyboardEvent): boolean => isOpen && keys.onKeyDown(event, options, choose),
    onChange: (changed: HTMLTextAreaElement) => keys.onChange(changed, draft.text),
    onSelect: keys.onSelect,
    close,
    fieldProps: isOpen ? { 'aria-controls': listId, 'aria-activedescendant': `${listId}-${active}` } : {},
    list: isOpen && (
      <>
        <div className={classes.options}>
          <div id={listId} role="listbox" aria-label={t('members')}>
            {options.map((member, i) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field passes the keys on
              // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
              <div
                key={member.id}
                id={`${listId}-${i}`}
                className={classes.member}
                role="option"
                aria-selected={i === active}
                onMouseDown={event => event.preventDefault()}
                onClick={() => choose(member)}
              >
                <Person name={member.name} id={member.id} size={20} />
                <span>{member.name}</span>
              </div>
            ))}
          </div>
        </div>
        <VisuallyHidden role="status">{t('memberCount', { count: options.length })}</VisuallyHidden>
      </>
    ),
  };
}
