/** Asks before the values of a form are discarded. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { common } from '../messages/en/common.ts';
import { translator } from '../messages/translate.ts';
import { Modal } from './Overlay.tsx';

const t = translator('common', common);

interface DiscardQuestionProps {
  isOpen: boolean;
  onKeep: () => void;
  onDiscard: () => void;
}

export const DiscardQuestion = ({ isOpen, onKeep, onDiscard }: DiscardQuestionProps) => (
  <Modal opened={isOpen} onClose={onKeep} title={t('discardTitle')} zIndex={400}>
    <Stack>
      <Text size="sm">{t('discardAbout')}</Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onKeep} data-autofocus>
          {t('keepEditing')}
        </Button>
        <Button color="red.9" onClick={onDiscard}>
          {t('discard')}
        </Button>
      </Group>
    </Stack>
  </Modal>
);
