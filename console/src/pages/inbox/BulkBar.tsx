/** Actions on the selected conversations of the list. */
import { ActionIcon, Checkbox, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { type Icon, IconAlarmSnooze, IconCheck, IconRobot, IconUserShare, IconX } from '../../icons/tabler.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { translator } from '../../messages/translate.ts';
import { AssignMenu } from './AssignMenu.tsx';
import classes from './Bulk.module.css';
import { SnoozeMenu } from './SnoozeMenu.tsx';
import { clearSelection, selectAll, setSelecting, useSelection } from './selection.ts';
import { type BulkRow, useBulkActions } from './useBulkActions.ts';

const t = translator('inbox', inbox);

interface BulkBarProps {
  /** Loaded rows that can be selected. */
  rows: readonly BulkRow[];
}

export function BulkBar({ rows }: BulkBarProps) {
  const { ids } = useSelection();
  const selected = rows.filter(({ handoff }) => ids.has(handoff.conversationId));
  const actions = useBulkActions(selected);
  const [menu, setMenu] = useState<'assign' | 'snooze'>();
  const count = selected.length;
  const isOff = count === 0 || actions.isBusy;
  return (
    <div className={classes.bar} role="toolbar" aria-label={t('bulkActions')}>
      <Checkbox
        size="xs"
        aria-label={t('selectAll')}
        title={t('selectAll')}
        checked={count > 0 && count === rows.length}
        indeterminate={count > 0 && count < rows.length}
        onChange={event => {
          if (event.currentTarget.checked) selectAll();
          else {
            clearSelection();
            setSelecting(true);
          }
        }}
      />
      <span className={classes.selected} role="status">
        {t('selected', { count })}
      </span>
      <AssignMenu
        handoff={undefined}
        canRelease={selected.some(({ handoff }) => handoff.status === 'served')}
        isOpen={menu === 'assign'}
        setOpen={isOpen => setMenu(isOpen ? 'assign' : undefined)}
        onAssign={actions.assign}
        target={<Tool label={t('assign')} Icon={IconUserShare} isOff={isOff} onClick={() => setMenu('assign')} />}
      />
      <SnoozeMenu
        isSnoozed={selected.some(({ handoff }) => handoff.snoozedUntil !== undefined)}
        isOpen={menu === 'snooze'}
        setOpen={isOpen => setMenu(isOpen && !isOff ? 'snooze' : undefined)}
        onSnooze={actions.snooze}
      >
        <ActionIcon variant="subtle" color="gray" disabled={isOff} aria-label={t('snooze')} title={t('snooze')}>
          <IconAlarmSnooze size={16} aria-hidden />
        </ActionIcon>
      </SnoozeMenu>
      <Tool label={t('handBack')} Icon={IconRobot} isOff={isOff} onClick={() => actions.end('handedBack')} />
      <Tool label={t('resolve')} Icon={IconCheck} isOff={isOff} onClick={() => actions.end('resolved')} />
      <Tool label={t('endSelecting')} Icon={IconX} isOff={false} onClick={clearSelection} />
    </div>
  );
}

interface ToolProps {
  label: string;
  Icon: Icon;
  isOff: boolean;
  onClick: () => void;
}

const Tool = ({ label, Icon, isOff, onClick, ...others }: ToolProps) => (
  <Tooltip label={label}>
    <ActionIcon variant="subtle" color="gray" disabled={isOff} aria-label={label} onClick={onClick} {...others}>
      <Icon size={16} aria-hidden />
    </ActionIcon>
  </Tooltip>
);
