/** Filters the list of the inbox by a label, which is part of the address. */
import { ActionIcon, CloseButton, Group, Menu, Tooltip } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useLabels } from '../../api/useLabels.ts';
import { IconTag } from '../../icons/tabler.ts';
import { labels as texts } from '../../messages/en/labels.ts';
import { translator } from '../../messages/translate.ts';
import { LabelChip, LabelDot } from '../../parts/LabelChip.tsx';
import classes from './Inbox.module.css';

const t = translator('labels', texts);

/** Value of the choice without a filter. */
const ALL = '';

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
      <Tooltip label={t('filter')}>
        <Menu.Target>
          <ActionIcon
            variant={label === undefined ? 'default' : 'light'}
            size={30}
            aria-label={t('filter')}
            aria-pressed={label !== undefined}
          >
            <IconTag size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
      </Tooltip>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        {labels?.length === 0 && <Menu.Label>{t('noneYet')}</Menu.Label>}
        {sorted.length > 0 && (
          <Menu.RadioGroup value={label ?? ALL} onChange={value => choose(value === ALL ? undefined : value)}>
            <Menu.RadioItem value={ALL} closeMenuOnClick>
              {t('allLabels')}
            </Menu.RadioItem>
            {sorted.map(({ id, name, color }) => (
              <Menu.RadioItem key={id} value={id} closeMenuOnClick rightSection={<LabelDot color={color} />}>
                <bdi style={{ overflowWrap: 'anywhere' }}>{name}</bdi>
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

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
