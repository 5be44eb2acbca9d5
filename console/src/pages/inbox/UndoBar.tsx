/** Offers to undo the member's latest action, also after they moved to the next conversation. */
import { Button, Kbd } from '@mantine/core';
import { IconArrowBackUp } from '../../icons/tabler.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { translator } from '../../messages/translate.ts';
import classes from './Inbox.module.css';
import { undoLatest, useUndoable } from './undo.ts';

const t = translator('inbox', inbox);

export function UndoBar({ botId }: { botId: string }) {
  const undoable = useUndoable(botId);
  return (
    <div role="status" className={classes.undoPlace}>
      {undoable && (
        <div className={classes.undo}>
          <span className={classes.undoText}>{undoable.label}</span>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconArrowBackUp size={14} aria-hidden />}
            rightSection={<Kbd size="xs">Z</Kbd>}
            aria-label={t('undo')}
            onClick={undoLatest}
          >
            {t('undo')}
          </Button>
        </div>
      )}
    </div>
  );
}
