/** Thread, composer and actions of the open conversation. */

import { Button } from '@mantine/core';
import { type RefObject, useRef, useState } from 'react';
import type { Handoff } from '../../api/contract.ts';
import {
  IconAlarmSnooze,
  IconArrowBackUp,
  IconCheck,
  IconFlag,
  IconHandStop,
  IconListCheck,
  IconMessage,
  IconNote,
  IconRobot,
  IconSearch,
  IconTag,
  IconUserShare,
} from '../../icons/tabler.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { labels } from '../../messages/en/labels.ts';
import { translator } from '../../messages/translate.ts';
import { useInboxSearch } from '../../navigation/inboxAddress.ts';
import { INBOX_KEYS } from '../../navigation/inboxKeys.ts';
import { usePageActions } from '../../navigation/pageActions.ts';
import { AssignMenu } from './AssignMenu.tsx';
import { Composer, type ComposerHandle } from './Composer.tsx';
import { draftOf, setMode } from './drafts.ts';
import { FindBar } from './FindBar.tsx';
import { HandoffBanner } from './HandoffBanner.tsx';
import { PresenceLine } from './PresenceLine.tsx';
import { PriorityMenu } from './PriorityMenu.tsx';
import { SnoozeMenu } from './SnoozeMenu.tsx';
import { isSelectable, toggleSelected } from './selection.ts';
import { Timeline } from './Timeline.tsx';
import { UndoBar } from './UndoBar.tsx';
import { BULK, rememberFocus, undoLatest, useUndoable } from './undo.ts';
import type { HandoffActions } from './useHandoffActions.ts';
import { useCaller } from './useTeam.ts';

const t = translator('inbox', inbox);
const tl = translator('labels', labels);

/** Buttons that close the handoff. They keep the focus, which Undo would otherwise lose. */
function EndButtons({ actions: { closing, end } }: { actions: HandoffActions }) {
  const disabled = { 'data-disabled': closing !== undefined || undefined, 'aria-disabled': closing !== undefined };
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconRobot size={14} aria-hidden />}
        {...disabled}
        data-action="end"
        onClick={() => end('handedBack')}
      >
        {t('handBack')}
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconCheck size={14} aria-hidden />}
        {...disabled}
        data-action="end"
        onClick={() => end('resolved')}
      >
        {t('resolve')}
      </Button>
    </>
  );
}

interface HandoffViewProps {
  botId: string;
  id: string;
  latest: Handoff | undefined;
  isLoading: boolean;
  actions: HandoffActions;
  isFinding: boolean;
  setFinding: (isFinding: boolean) => void;
  isLabelling: boolean;
  /** Opens the picker of labels in the side panel. */
  label: () => void;
  composer: RefObject<ComposerHandle | null>;
}

export function HandoffView(props: HandoffViewProps) {
  const { botId, id, latest, isLoading, actions, isFinding, setFinding, isLabelling, label, composer } = props;
  const { ownId, mayHandle } = useCaller();
  const thread = useRef<HTMLDivElement>(null);
  const { find: wanted } = useInboxSearch();
  const [isAssigning, setAssigning] = useState(false);
  const [isSnoozing, setSnoozing] = useState(false);
  const [isPrioritizing, setPrioritizing] = useState(false);
  const open = latest && latest.status !== 'closed' ? latest : undefined;
  const isMine = open?.member !== undefined && open.member.id === ownId;
  const [ownUndoable, bulkUndoable] = [useUndoable(botId), useUndoable(BULK)];
  const undoable = ownUndoable ?? bulkUndoable;
  const takeOver = async () => {
    const { isNote } = draftOf(id);
    const restoreFocus = rememberFocus();
    const restore = () => {
      if (draftOf(id).text === '') setMode(id, isNote);
      restoreFocus();
    };
    // Focuses the field, because letters typed on the button would act as shortcuts.
    composer.current?.focus();
    const wasBlocked = open?.status === 'served';
    if (!(await actions.takeOver(restore)) || !wasBlocked) return;
    // Keeps the mode that the member has chosen meanwhile: a note that they began must not become a reply.
    composer.current?.focus(draftOf(id).isNote ? 'note' : 'reply');
  };
  const refocus = useRef<() => void>(undefined);
  const setAssignOpen = (isOpen: boolean) => {
    if (isOpen) refocus.current = rememberFocus();
    setAssigning(isOpen);
  };
  const snooze = (until: string | null) => void actions.snooze(until, refocus.current);
  const setSnoozeOpen = (isOpen: boolean) => {
    if (isOpen) refocus.current = rememberFocus();
    setSnoozing(isOpen);
  };
  const setPriorityOpen = (isOpen: boolean) => {
    if (isOpen) refocus.current = rememberFocus();
    setPrioritizing(isOpen);
  };
  const assign = (accountId: string | null) => {
    refocus.current?.();
    void actions.assign(accountId, refocus.current);
  };
  const find = { id: 'find', label: t('find'), key: INBOX_KEYS.find, Icon: IconSearch, run: () => setFinding(true) };
  const handling = [
    ...(isMine
      ? []
      : [{ id: 'take', label: t('takeOver'), key: INBOX_KEYS.take, Icon: IconHandStop, run: () => void takeOver() }]),
    {
      id: 'reply',
      label: t('reply'),
      key: INBOX_KEYS.reply,
      Icon: IconMessage,
      run: () => composer.current?.focus('reply'),
    },
    {
      id: 'note',
      label: t('writeNote'),
      key: INBOX_KEYS.note,
      Icon: IconNote,
      run: () => composer.current?.focus('note'),
    },
    { id: 'label', label: tl('edit'), key: INBOX_KEYS.label, Icon: IconTag, run: label },
    { id: 'assign', label: t('assign'), key: INBOX_KEYS.assign, Icon: IconUserShare, run: () => setAssignOpen(true) },
    ...(open && !actions.closing
      ? [
          {
            id: 'resolve',
            label: t('resolve'),
            key: INBOX_KEYS.resolve,
            Icon: IconCheck,
            run: () => actions.end('resolved'),
          },
          {
            id: 'handBack',
            label: t('handBack'),
            key: INBOX_KEYS.handBack,
            Icon: IconRobot,
            run: () => actions.end('handedBack'),
          },
          {
            id: 'snooze',
            label: t('snooze'),
            key: INBOX_KEYS.snooze,
            Icon: IconAlarmSnooze,
            run: () => setSnoozeOpen(true),
          },
          {
            id: 'priority',
            label: t('priority'),
            key: INBOX_KEYS.priority,
            Icon: IconFlag,
            run: () => setPriorityOpen(true),
          },
        ]
      : []),
    ...(isSelectable(id)
      ? [
          {
            id: 'select',
            label: t('selectThis'),
            key: INBOX_KEYS.select,
            Icon: IconListCheck,
            run: () => toggleSelected(id),
          },
        ]
      : []),
    ...(undoable
      ? [{ id: 'undo', label: t('undo'), key: INBOX_KEYS.undo, Icon: IconArrowBackUp, run: undoLatest }]
      : []),
  ];
  const offered = mayHandle ? [...handling, find] : [find];
  // Disables shortcuts while a menu is open, because it receives the keys.
  usePageActions(isAssigning || isSnoozing || isPrioritizing || isLabelling ? [] : offered);
  return (
    <>
      {isFinding && (
        <FindBar
          key={wanted}
          botId={botId}
          id={id}
          thread={thread}
          initial={wanted}
          onClose={() => setFinding(false)}
        />
      )}
      {!isLoading && (
        <HandoffBanner handoff={latest} isMine={isMine} actions={actions} onTakeOver={() => void takeOver()}>
          {mayHandle && (
            <>
              <AssignMenu handoff={open} isOpen={isAssigning} setOpen={setAssignOpen} onAssign={assign} />
              {open && (
                <>
                  <SnoozeMenu
                    isSnoozed={open.snoozedUntil !== undefined}
                    isOpen={isSnoozing}
                    setOpen={setSnoozeOpen}
                    onSnooze={snooze}
                  >
                    <Button
                      size="xs"
                      variant="default"
                      leftSection={<IconAlarmSnooze size={14} aria-hidden />}
                      data-action="snooze"
                    >
                      {t('snooze')}
                    </Button>
                  </SnoozeMenu>
                  <PriorityMenu
                    botId={botId}
                    handoff={open}
                    isOpen={isPrioritizing}
                    setOpen={setPriorityOpen}
                    onDone={() => refocus.current?.()}
                  />
                  <EndButtons actions={actions} />
                </>
              )}
            </>
          )}
        </HandoffBanner>
      )}
      <Timeline ref={thread} botId={botId} id={id} handoff={latest} />
      <UndoBar botId={botId} />
      <PresenceLine botId={botId} id={id} />
      {mayHandle && <Composer ref={composer} botId={botId} conversationId={id} handoff={open} actions={actions} />}
    </>
  );
}
