/** Chooses until when a conversation is snoozed. */
import { Button, Group, Menu, Stack, TextInput } from '@mantine/core';
import { type FormEvent, type ReactElement, useState } from 'react';
import { IconAlarmSnooze, IconCalendarTime, IconPlayerPlay } from '../../icons/tabler.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { translator } from '../../messages/translate.ts';
import { Modal } from '../../parts/Overlay.tsx';
import { formatDayAndTime } from '../../parts/time.ts';
import { fieldLimits, fieldTime, SNOOZES, snoozeTime, timeOfField } from './snoozeTimes.ts';

const t = translator('inbox', inbox);

interface SnoozeMenuProps {
  /** Offers to end the snooze. */
  isSnoozed: boolean;
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
  /** Null ends the snooze. */
  onSnooze: (until: string | null) => void;
  /** The button, which receives the focus again. */
  children: ReactElement;
}

export function SnoozeMenu({ isSnoozed, isOpen, setOpen, onSnooze, children }: SnoozeMenuProps) {
  const [isCustom, setCustom] = useState(false);
  return (
    <>
      <Menu
        opened={isOpen}
        onChange={setOpen}
        position="bottom-end"
        width={280}
        withinPortal={false}
        // Without key presses: the one that opens the menu by its shortcut would also close it.
        clickOutsideEvents={['mousedown', 'touchstart']}
        // Focuses the first item before the next key press, which would otherwise trigger a shortcut.
        transitionProps={{ duration: 0 }}
      >
        <Menu.Target>{children}</Menu.Target>
        <Menu.Dropdown>
          {SNOOZES.map(choice => {
            const time = snoozeTime(choice);
            return (
              time && (
                <Menu.Item
                  key={choice}
                  leftSection={<IconAlarmSnooze size={14} aria-hidden />}
                  rightSection={<small className="number">{formatDayAndTime(time)}</small>}
                  onClick={() => onSnooze(time.toISOString())}
                >
                  {t(`snooze_${choice}`)}
                </Menu.Item>
              )
            );
          })}
          <Menu.Item leftSection={<IconCalendarTime size={14} aria-hidden />} onClick={() => setCustom(true)}>
            {t('snoozeCustom')}
          </Menu.Item>
          {isSnoozed && (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<IconPlayerPlay size={14} aria-hidden />} onClick={() => onSnooze(null)}>
                {t('wake')}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <Modal opened={isCustom} onClose={() => setCustom(false)} title={t('snoozeUntil')}>
        <CustomTime
          onChoose={until => {
            setCustom(false);
            onSnooze(until.toISOString());
          }}
        />
      </Modal>
    </>
  );
}

function CustomTime({ onChoose }: { onChoose: (until: Date) => void }) {
  const [value, setValue] = useState(() => fieldTime(snoozeTime('tomorrow')!));
  const [isRefused, setRefused] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const time = timeOfField(value);
    setRefused(time === undefined);
    if (time) onChoose(time);
  };
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <TextInput
          type="datetime-local"
          label={t('snoozeTime')}
          description={t('snoozeLimits')}
          error={isRefused && t('snoozeLimits')}
          {...fieldLimits()}
          value={value}
          onChange={event => setValue(event.currentTarget.value)}
          data-autofocus
        />
        <Group justify="flex-end">
          <Button type="submit">{t('snooze')}</Button>
        </Group>
      </Stack>
    </form>
  );
}
