/** Labels of the open conversation, in the side panel. */
import { ActionIcon } from '@mantine/core';
import { useEffect, useEffectEvent } from 'react';
import { useLabelsOf } from '../../api/useLabels.ts';
import { IconPencil } from '../../icons/tabler.ts';
import { labels as texts } from '../../messages/en/labels.ts';
import { translator } from '../../messages/translate.ts';
import { LabelChip } from '../../parts/LabelChip.tsx';
import { Nothing, Section } from '../conversations/Details.tsx';
import classes from './Contact.module.css';
import { LabelPicker } from './LabelPicker.tsx';
import { useCaller } from './useTeam.ts';

const t = translator('labels', texts);

interface LabelSectionProps {
  botId: string;
  conversationId: string;
  labelIds: readonly string[] | undefined;
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
}

export function LabelSection({ labelIds = [], isOpen, setOpen, ...of }: LabelSectionProps) {
  const { mayHandle } = useCaller();
  const labels = useLabelsOf(labelIds);
  const close = useEffectEvent(() => setOpen(false));
  // Closes the menu with the panel. Otherwise it would be open when the panel opens again.
  useEffect(() => () => close(), []);
  return (
    <Section
      title={t('labels')}
      action={
        mayHandle && (
          <LabelPicker {...of} labelIds={labelIds} isOpen={isOpen} setOpen={setOpen}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={t('edit')}
              title={t('edit')}
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              <IconPencil size={16} aria-hidden />
            </ActionIcon>
          </LabelPicker>
        )
      }
    >
      {labels.length === 0 ? (
        <Nothing>{t('none')}</Nothing>
      ) : (
        <ul className={classes.labels} aria-label={t('labels')}>
          {labels.map(({ id, name, color }) => (
            <li key={id}>
              <LabelChip color={color} title={name}>
                <bdi>{name}</bdi>
              </LabelChip>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
