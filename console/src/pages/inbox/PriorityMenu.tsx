import { Button, Menu } from '@mantine/core';
import { useParley } from '../../api/clients.ts';
import type { Handoff } from '../../api/contract.ts';
import { useAction } from '../../api/useAction.ts';
import { IconCheck, IconFlag } from '../../icons/tabler.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { translator } from '../../messages/translate.ts';
import { PRIORITIES } from './inboxViews.ts';

const t = translator('inbox', inbox);

interface PriorityMenuProps {
  botId: string;
  handoff: Handoff;
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
  /** Called after a choice. */
  onDone: () => void;
}

/** Chooses the priority, which sorts the queue before the waiting time. */
export function PriorityMenu({ botId, handoff, isOpen, setOpen, onDone }: PriorityMenuProps) {
  const parley = useParley(botId);
  const set = useAction((priority: Handoff['priority']) => parley.setHandoffPriority(handoff.id, { priority }), {
    changes: [['handoffs', botId]],
    scope: 'priority',
  });
  const shown = set.isPending ? set.variables : handoff.priority;
  return (
    <Menu
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      width={200}
      withinPortal={false}
      // As in the menu of the snooze.
      clickOutsideEvents={['mousedown', 'touchstart']}
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<IconFlag size={14} aria-hidden />} data-action="priority">
          {shown === 'normal' ? t('priority') : t(`priority_${shown}`)}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('priorityAbout')}</Menu.Label>
        {PRIORITIES.map(priority => (
          <Menu.Item
            key={priority}
            rightSection={priority === shown && <IconCheck size={14} role="img" aria-label={t('current')} />}
            onClick={() => {
              set.mutate(priority);
              onDone();
            }}
          >
            {t(`priority_${priority}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
