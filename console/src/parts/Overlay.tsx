/** Modal dialogs and side panels, of which Escape closes only the topmost. */
import { Drawer as BaseDrawer, Modal as BaseModal, type DrawerProps, type ModalProps } from '@mantine/core';
import { useEffectEvent, useLayoutEffect } from 'react';
import { openOverlay } from './openOverlays.ts';

/** The component library closes each open dialog by itself, whichever covers it. */
function useEscape({
  opened,
  onClose,
  closeOnEscape = true,
}: Pick<ModalProps, 'opened' | 'onClose' | 'closeOnEscape'>) {
  const close = useEffectEvent(() => {
    if (closeOnEscape) onClose();
  });
  // Layout effects run before the effects of the content, so a menu that opens with the dialog is registered above it.
  useLayoutEffect(() => (opened ? openOverlay(close) : undefined), [opened]);
}

export function Modal(props: ModalProps) {
  useEscape(props);
  return <BaseModal {...props} closeOnEscape={false} />;
}

export function Drawer(props: DrawerProps) {
  useEscape(props);
  return <BaseDrawer {...props} closeOnEscape={false} />;
}
