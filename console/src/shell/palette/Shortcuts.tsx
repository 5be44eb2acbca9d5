import { Group, Kbd, Stack, Switch, Text, Title } from '@mantine/core';
import { shell } from '../../messages/en/shell.ts';
import { translator } from '../../messages/translate.ts';
import { INBOX_KEYS, type InboxAction } from '../../navigation/inboxKeys.ts';
import { usePages } from '../../navigation/usePages.ts';
import { Modal } from '../../parts/Overlay.tsx';
import { PALETTE_KEY_NAMES } from './keyLabels.ts';
import classes from './Shortcuts.module.css';
import { useSingleKeys } from './useShortcuts.ts';

const t = translator('shell', shell);

const general = () => [
  { label: t('palette'), keys: PALETTE_KEY_NAMES },
  { label: t('shortcuts'), keys: ['?'] },
  { label: t('searchPage'), keys: ['/'] },
  { label: t('nextConversation'), keys: ['J'] },
  { label: t('previousConversation'), keys: ['K'] },
];

const inbox = () => [
  ...(Object.entries(INBOX_KEYS) as [InboxAction, string][]).map(([action, key]) => ({
    label: t(`key_${action}`),
    keys: [key.toUpperCase()],
  })),
  { label: t('insertReply'), keys: ['/'] },
  { label: t('send'), keys: ['Enter'] },
  { label: t('newLine'), keys: ['Shift', 'Enter'] },
  { label: t('leaveField'), keys: ['Esc'] },
];

export function Shortcuts({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [isOn, setOn] = useSingleKeys();
  const { workspace, bot } = usePages();
  const pages = [...workspace, ...bot.flatMap(group => group.pages)].flatMap(({ label, key }) =>
    key ? [{ label, keys: ['G', key.toUpperCase()] }] : [],
  );
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('shortcuts')} size="lg">
      <Stack>
        <div className={classes.columns}>
          <Stack gap="lg">
            <List title={t('general')} entries={general()} />
            <List title={t('inbox')} entries={inbox()} />
          </Stack>
          <List title={t('goTo')} entries={pages} />
        </div>
        <Switch
          label={t('singleKeys')}
          description={t('singleKeysAbout')}
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
