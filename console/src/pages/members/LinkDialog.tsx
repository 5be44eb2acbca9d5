import { Button, Checkbox, CopyButton, Group, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { IconCheck, IconCopy } from '../../icons/tabler.ts';
import { workspace } from '../../messages/en/workspace.ts';
import { translator } from '../../messages/translate.ts';
import { Modal } from '../../parts/Overlay.tsx';

const t = translator('workspace', workspace);

interface LinkDialogProps {
  title: string;
  link: string | undefined;
  /** Label of the value, by default of a link. */
  label?: string;
  children: ReactNode;
  onClose: () => void;
}

/** Shows a link once, and closes only after it was copied, or the user confirmed that they have it. */
export const LinkDialog = ({ title, link, label, children, onClose }: LinkDialogProps) => (
  <Modal opened={link !== undefined} onClose={onClose} title={title} {...STAYS}>
    {link !== undefined && (
      <LinkOnce link={link} onClose={onClose} {...(label ? { label } : {})}>
        {children}
      </LinkOnce>
    )}
  </Modal>
);

/** A dialog that neither a click outside, nor Escape, nor a close button ends. */
export const STAYS = { closeOnClickOutside: false, closeOnEscape: false, withCloseButton: false } as const;

interface LinkOnceProps {
  link: string;
  label?: string;
  children: ReactNode;
  onClose: () => void;
}

export function LinkOnce({ link, label = t('link'), children, onClose }: LinkOnceProps) {
  const [isKept, setKept] = useState(false);
  return (
    <Stack>
      <Text size="sm">{children}</Text>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          flex={1}
          label={label}
          value={link}
          readOnly
          onFocus={event => event.currentTarget.select()}
          data-autofocus
        />
        <CopyButton value={link}>
          {({ copied, copy }) => (
            <Button
              leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
              onClick={() => {
                copy();
                setKept(true);
              }}
            >
              {t(copied ? 'copied' : 'copy')}
            </Button>
          )}
        </CopyButton>
      </Group>
      <Checkbox label={t('keptLink')} checked={isKept} onChange={event => setKept(event.currentTarget.checked)} />
      <Group justify="flex-end">
        <Button variant="default" disabled={!isKept} onClick={onClose}>
          {t('done')}
        </Button>
      </Group>
    </Stack>
  );
}
