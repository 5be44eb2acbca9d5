/** Dialogs that ask before Escape, a click outside, a button or Back discards changed values of their forms. */
import { Button, Group, type ModalProps } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useCallback, useContext, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { common } from '../messages/en/common.ts';
import { translator } from '../messages/translate.ts';
import type { OpenRow } from '../navigation/useOpenRow.ts';
import { DiscardQuestion } from './DiscardQuestion.tsx';
import { Drawer, Modal } from './Overlay.tsx';
import { openOverlay } from './openOverlays.ts';
import { Failure, Loading } from './States.tsx';
import { type Report, UnsavedContext } from './unsaved.ts';

const t = translator('common', common);

/** Navigation that no element of the page causes. The page navigates only after it has saved. */
const BY_HISTORY = new Set<string>(['BACK', 'FORWARD', 'GO']);

/** @param isInline the form is part of a page, which any navigation leaves */
function useDiscardGuard(isOpen: boolean, onClose: () => void, isInline = false) {
  const changed = useRef(new Set<string>());
  const [isClosing, setClosing] = useState(false);
  const report = useCallback<Report>((form, isChanged) => {
    if (isChanged) changed.current.add(form);
    else changed.current.delete(form);
  }, []);
  const shouldBlockFn = useCallback(
    ({ action }: { action: string }) => (isInline || BY_HISTORY.has(action)) && changed.current.size > 0,
    [isInline],
  );
  const left = useBlocker({ shouldBlockFn, withResolver: true, enableBeforeUnload: false, disabled: !isOpen });
  const close = () => {
    if (changed.current.size === 0) onClose();
    else setClosing(true);
  };
  const keep = () => {
    setClosing(false);
    left.reset?.();
  };
  const discard = () => {
    setClosing(false);
    if (left.status === 'blocked') return left.proceed();
    changed.current.clear();
    onClose();
  };
  const question = (
    <DiscardQuestion isOpen={isClosing || left.status === 'blocked'} onKeep={keep} onDiscard={discard} />
  );
  const closeLatest = useRef(close);
  closeLatest.current = close;
  const ofForms = useMemo(() => ({ report, close: () => closeLatest.current() }), [report]);
  const guarded = (children: ReactNode) => <UnsavedContext value={ofForms}>{children}</UnsavedContext>;
  return { close, question, guarded };
}

/** Closes the dialog of its form. */
export function CancelButton() {
  const dialog = useContext(UnsavedContext);
  return (
    <Button variant="default" onClick={dialog?.close}>
      {t('cancel')}
    </Button>
  );
}

/** Cancels or submits the form of a dialog. */
export const FormButtons = ({ submit, isBusy }: { submit: string; isBusy: boolean }) => (
  <Group justify="flex-end" gap="xs">
    <CancelButton />
    <Button type="submit" loading={isBusy}>
      {submit}
    </Button>
  </Group>
);

interface DetailProps<T> {
  of: T | undefined;
  title: ReactNode;
  onClose: () => void;
  children: (of: T) => ReactNode;
}

/** A side panel with the details of a row. */
export function Detail<T>({ of, title, onClose, children }: DetailProps<T>) {
  const { close, question, guarded } = useDiscardGuard(of !== undefined, onClose);
  return (
    <>
      <Drawer opened={of !== undefined} onClose={close} title={title}>
        {of !== undefined && guarded(children(of))}
      </Drawer>
      {question}
    </>
  );
}

interface RowDetailProps<T> {
  row: OpenRow<T>;
  title: (of: T) => ReactNode;
  children: (of: T) => ReactNode;
}

/** A side panel with the details of the row that the URL names. */
export const RowDetail = <T,>({ row, title, children }: RowDetailProps<T>) => (
  <Detail of={row.id} title={row.item === undefined ? '' : title(row.item)} onClose={row.close}>
    {() => {
      if (row.item !== undefined) return children(row.item);
      return row.error ? <Failure error={row.error} retry={row.retry} /> : <Loading />;
    }}
  </Detail>
);

type FormModalProps = Pick<
  ModalProps,
  'opened' | 'onClose' | 'title' | 'size' | 'children' | 'closeOnClickOutside' | 'closeOnEscape' | 'withCloseButton'
>;

/** Unmounts its form when it closes, so that the next one starts empty. */
export function FormModal({ opened, onClose, children, ...rest }: FormModalProps) {
  const { close, question, guarded } = useDiscardGuard(opened, onClose);
  return (
    <>
      <Modal opened={opened} onClose={close} {...rest}>
        {guarded(children)}
      </Modal>
      {question}
    </>
  );
}

/** A form within a page. Escape closes it, as it does a dialog. */
export function InlineForm({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const { close, question, guarded } = useDiscardGuard(true, onClose, true);
  const closeForm = useEffectEvent(close);
  useEffect(() => openOverlay(closeForm), []);
  return (
    <>
      {guarded(children)}
      {question}
    </>
  );
}
