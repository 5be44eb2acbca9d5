import { ActionIcon, Center, Loader, Popover, Tooltip } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { IconMoodSmile } from '../../icons/tabler.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { translator } from '../../messages/translate.ts';

const t = translator('inbox', inbox);
const EmojiPicker = lazy(() => import('./EmojiPicker.tsx'));

interface EmojiButtonProps {
  isDisabled: boolean;
  onChoose: (emoji: string) => void;
  /** Returns the focus to the text. */
  onClose: () => void;
}

export function EmojiButton({ isDisabled, onChoose, onClose }: EmojiButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const toggle = (next: boolean) => {
    setOpen(next);
    if (!next) onClose();
  };
  return (
    <Popover
      opened={isOpen}
      onChange={toggle}
      position="top-start"
      width={330}
      shadow="md"
      transitionProps={{ duration: 0 }}
    >
      <Tooltip label={t('emoji')} disabled={isOpen}>
        <Popover.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('emoji')}
            disabled={isDisabled}
            onClick={() => toggle(!isOpen)}
          >
            <IconMoodSmile size={16} />
          </ActionIcon>
        </Popover.Target>
      </Tooltip>
      <Popover.Dropdown p={0} aria-label={t('emoji')}>
        <Suspense
          fallback={
            <Center h={340}>
              <Loader size="sm" />
            </Center>
          }
        >
          <EmojiPicker
            onChoose={emoji => {
              onChoose(emoji);
              setOpen(false);
            }}
          />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
