import { Group, Kbd, Modal, Stack, Switch, Text, Title } from '@mantine/core';
import { BOT_PAGES, WORKSPACE_PAGES } from '../pages.ts';
import { PALETTE_KEY_NAMES } from './keyLabels.ts';
import classes from './Shortcuts.module.css';
import { useSingleKeys } from './useShortcuts.ts';

const GENERAL = [
  { label: 'Command palette', keys: PALETTE_KEY_NAMES },
  { label: 'Keyboard shortcuts', keys: ['?'] },
  { label: 'Search in the page', keys: ['/'] },
  { label: 'Next conversation', keys: ['J'] },
  { label: 'Previous conversation', keys: ['K'] },
];
const PAGES = [...WORKSPACE_PAGES, ...BOT_PAGES.flatMap(({ pages }) => pages)].flatMap(({ label, key }) =>
  key ? [{ label, keys: ['G', key.toUpperCase()] }] : [],
);

export function Shortcuts({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [isOn, setOn] = useSingleKeys();
  return (
    <Modal opened={isOpen} onClose={onClose} title="Keyboard shortcuts" size="lg">
      <Stack>
        <div className={classes.columns}>
          <List title="General" entries={GENERAL} />
          <List title="Go to" entries={PAGES} />
        </div>
        <Switch
          label="Shortcuts without Ctrl or ⌘"
          description="Turn them off if you use speech input."
          checked={isOn}
          onChange={event => setOn(event.currentTarget.checked)}
        />
      </Stack>
    </Modal>
  );
}

const List = ({ title, entries }: { title: string; entries: { label: string; keys: string[] }[] }) => (
  <section>
    <Title order={3} size="h4" mb="xs">
      {title}
    </Title>
    <Stack gap={6}>
      {entries.map(({ label, keys }) => (
        <Group key={label} justify="space-between" wrap="nowrap">
          <Text size="sm">{label}</Text>
          <Group gap={4} wrap="nowrap">
            {keys.map(key => (
              <Kbd key={key} size="sm">
                {key}
              </Kbd>
            ))}
          </Group>
        </Group>
      ))}
    </Stack>
  </section>
);
