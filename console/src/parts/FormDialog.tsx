/** Dialogs that ask before Escape, a click outside or the close button discards changed values of their forms. */
import { Button, Drawer, Group, Modal, type ModalProps, Stack, Text } from '@mantine/core';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import { common } from '../messages/en/common.ts';
import { translator } from '../messages/translate.ts';
import { type Report, UnsavedContext } from './unsaved.ts';

const t = translator('common', common);

function useDiscardGuard(onClose: () => void) {
  const changed = useRef(new Set<string>());
  const [isAsking, setAsking] = useState(false);
  const report = useCallback<Report>((form, isChanged) => {
    if (isChanged) changed.current.add(form);
    else changed.current.delete(form);
  }, []);
  const close = () => {
    // Escape reaches the dialog and the question.
    if (isAsking) return;
    if (changed.current.size === 0) onClose();
    else setAsking(true);
  };
  const discard = () => {
    setAsking(false);
    changed.current.clear();
    onClose();
  };
  const question = (
    <Modal opened={isAsking} onClose={() => setAsking(false)} title={t('discardTitle')} zIndex={400}>
      <Stack>
        <Text size="sm">{t('discardAbout')}</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => setAsking(false)} data-autofocus>
            {t('keepEditing')}
          </Button>
          <Button color="red.9" onClick={discard}>
            {t('discard')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
  const guarded = (children: ReactNode) => <UnsavedContext value={report}>{children}</UnsavedContext>;
  return { close, question, guarded };
}

interface DetailProps<T> {
  of: T | undefined;
  title: ReactNode;
  onClose: () => void;
  children: (of: T) => ReactNode;
}

/** A side panel with the details of a row. */
export function Detail<T>({ of, title, onClose, children }: DetailProps<T>) {
  const { close, question, guarded } = useDiscardGuard(onClose);
  return (
    <>
      <Drawer opened={of !== undefined} onClose={close} title={title}>
        {of !== undefined && guarded(children(of))}
      </Drawer>
      {question}
    </>
  );
}

type FormModalProps = Pick<ModalProps, 'opened' | 'onClose' | 'title' | 'size' | 'children'>;

/** Unmounts its form when it closes, so that the next one starts empty. */
export function FormModal({ opened, onClose, children, ...rest }: FormModalProps) {
  const { close, question, guarded } = useDiscardGuard(onClose);
  return (
    <>
      <Modal opened={opened} onClose={close} {...rest}>
        {guarded(children)}
      </Modal>
      {question}
    </>
  );
}
