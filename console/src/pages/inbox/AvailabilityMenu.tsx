import { Button, Menu } from '@mantine/core';
import { useOwnAvailability } from '../../api/useAgents.ts';
import { IconCheck, IconChevronDown } from '../../icons/tabler.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { translator } from '../../messages/translate.ts';
import { PresenceDot } from '../../parts/Presence.tsx';

const t = translator('inbox', inbox);

const AVAILABILITIES = ['online', 'away'] as const;

/** Sets whether the caller receives conversations by automatic assignment. */
export function AvailabilityMenu() {
  const { availability, set } = useOwnAvailability();
  if (availability === undefined) return null;
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<PresenceDot presence={availability} />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
          aria-label={t('availabilityIs', { availability: t(`presence_${availability}`) })}
        >
          {t(`presence_${availability}`)}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('availability')}</Menu.Label>
        {AVAILABILITIES.map(each => (
          <Menu.Item
            key={each}
            leftSection={<PresenceDot presence={each} />}
            rightSection={each === availability && <IconCheck size={14} role="img" aria-label={t('current')} />}
            onClick={() => set(each)}
          >
            {t(`presence_${each}`)}
          </Menu.Item>
        ))}
        <Menu.Label fw={400} style={{ whiteSpace: 'normal' }}>
          {t('awayAbout')}
        </Menu.Label>
      </Menu.Dropdown>
    </Menu>
  );
}
