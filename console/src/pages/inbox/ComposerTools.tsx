/** Buttons of the composer: saved replies, files and emoji. */
import { ActionIcon, Tooltip } from '@mantine/core';
import { useRef } from 'react';
import { type Icon, IconMessage2Bolt, IconPaperclip } from '../../icons/tabler.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { translator } from '../../messages/translate.ts';
import { MAX_FILE_MEGABYTES } from './attachmentFiles.ts';
import { EmojiButton } from './EmojiButton.tsx';

const t = translator('inbox', inbox);

interface ComposerToolsProps {
  isDisabled: boolean;
  isNote: boolean;
  onFiles: (files: readonly File[]) => void;
  onSavedReplies: () => void;
  onEmoji: (emoji: string) => void;
  onEmojiClosed: () => void;
}

export function ComposerTools(props: ComposerToolsProps) {
  const { isDisabled, isNote, onFiles, onSavedReplies, onEmoji, onEmojiClosed } = props;
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Tool label={t('savedReplies')} Icon={IconMessage2Bolt} isDisabled={isDisabled} onClick={onSavedReplies} />
      <Tool
        label={isNote ? t('noFilesInNotes') : t('attach', { megabytes: MAX_FILE_MEGABYTES })}
        Icon={IconPaperclip}
        isDisabled={isDisabled || isNote}
        onClick={() => input.current?.click()}
      />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={event => {
          onFiles([...(event.currentTarget.files ?? [])]);
          // The same file can be chosen again after it was removed.
          event.currentTarget.value = '';
        }}
      />
      <EmojiButton isDisabled={isDisabled} onChoose={onEmoji} onClose={onEmojiClosed} />
    </>
  );
}

interface ToolProps {
  label: string;
  Icon: Icon;
  isDisabled: boolean;
  onClick: () => void;
}

/** Keeps the focus in the text. A disabled button still shows its label, which may explain why. */
const Tool = ({ label, Icon, isDisabled, onClick }: ToolProps) => (
  <Tooltip label={label} multiline maw={260}>
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      aria-disabled={isDisabled}
      data-disabled={isDisabled || undefined}
      onMouseDown={event => event.preventDefault()}
      onClick={() => {
        if (!isDisabled) onClick();
      }}
    >
      <Icon size={16} />
    </ActionIcon>
  </Tooltip>
);
