/** A row with a checkbox, which appears over its picture. */
import { Checkbox } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import { inbox } from '../../messages/en/inbox.ts';
import { translator } from '../../messages/translate.ts';
import classes from './Bulk.module.css';
import { toggleSelected, useIsSelected, useIsSelecting } from './selection.ts';

const t = translator('inbox', inbox);

interface SelectRowProps {
  conversationId: string;
  name: string;
  children: ReactNode;
}

export function SelectRow({ conversationId, name, children }: SelectRowProps) {
  const isSelected = useIsSelected(conversationId);
  const isSelecting = useIsSelecting();
  const onClick = (event: MouseEvent) => toggleSelected(conversationId, event.shiftKey);
  return (
    <div className={classes.row} data-selected={isSelected}>
      {children}
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the component contains the control */}
      <label className={classes.check} data-shown={isSelecting}>
        <Checkbox
          size="xs"
          aria-label={t('selectConversation', { name })}
          checked={isSelected}
          // Handled by the click, which has the Shift key.
          readOnly
          onClick={onClick}
        />
      </label>
    </div>
  );
}
