/** Filters the list of the inbox by a label, which is part of the address. */
import { ActionIcon, CloseButton, Group, Menu, Tooltip } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useLabels } from '../../api/useLabels.ts';
import { IconCheck, IconTag } from '../../icons/tabler.ts';
import { labels as texts } from '../../messages/en/labels.ts';
import { translator } from '../../messages/translate.ts';
import { LabelChip, LabelDot } from '../../parts/LabelChip.tsx';
import classes from './Inbox.module.css';

const t = translator('labels', texts);

function useChoose() {
  const navigate = useNavigate();
  return (label: string | undefined) =>
    void navigate({ to: '.', search: ((before: Record<string, unknown>) => ({ ...before, label })) as never });
}

export function LabelFilter({ label }: { label: string | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const choose = useChoose();
  const { data: labels } = useLabels(isOpen || label !== undefined);
  const sorted = (labels ?? []).toSorted((one, other) => one.name.localeCompare(other.name));
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-end" width={260}>
      <Menu.Target>
        <Tooltip label={t('filter')}>
          <ActionIcon
            variant={label === undefined ? 'default' : 'light'}
            size={30}
            aria-label={t('filter')}
            aria-pressed={label !== undefined}
          >
            <IconTag size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        {labels?.length === 0 && <Menu.Label>{t('noneYet')}</Menu.Label>}
        {sorted.length > 0 && (
          <Choice name={t('allLabels')} isChosen={label === undefined} onClick={() => choose(undefined)} />
        )}
        {sorted.map(({ id, name, color }) => (
          <Choice key={id} name={name} color={color} isChosen={id === label} onClick={() => choose(id)} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

interface ChoiceProps {
  name: string;
  color?: string;
  isChosen: boolean;
  onClick: () => void;
}

const Choice = ({ name, color, isChosen, onClick }: ChoiceProps) => (
  <Menu.Item
    role="menuitemradio"
    aria-checked={isChosen}
    leftSection={color && <LabelDot color={color} />}
    rightSection={isChosen && <IconCheck size={14} aria-hidden />}
    onClick={onClick}
  >
    <bdi style={{ overflowWrap: 'anywhere' }}>{name}</bdi>
  </Menu.Item>
);

/** Names the label by which the list is filtered. */
export function FilteredBy({ label }: { label: string }) {
  const { data: labels } = useLabels();
  const choose = useChoose();
  const found = labels?.find(({ id }) => id === label);
  return (
    <Group className={classes.search} gap={4} wrap="nowrap">
      <LabelChip color={found?.color ?? 'gray'} title={found?.name}>
        <bdi>{found?.name ?? (labels ? t('unknown') : '…')}</bdi>
      </LabelChip>
      <CloseButton size="xs" aria-label={t('clearFilter')} title={t('clearFilter')} onClick={() => choose(undefined)} />
    </Group>
  );
}
