/** The bots of an agent in their row, and the dialog that changes them. */
import { Button, Group, Stack, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { useParley } from '../../api/clients.ts';
import { useAction } from '../../api/useAction.ts';
import { useBotNames } from '../../api/useBot.ts';
import { common } from '../../messages/en/common.ts';
import { workspace } from '../../messages/en/workspace.ts';
import { translator } from '../../messages/translate.ts';
import { Modal } from '../../parts/Overlay.tsx';
import { BotsField } from './BotsField.tsx';

const t = translator('workspace', workspace);
const ofAll = translator('common', common);

interface BotsOfAgentProps {
  member: { id: string; botIds?: string[] | undefined };
  name: string;
  mayManage: boolean;
  changes: string[][];
}

export function BotsOfAgent({ member, name, mayManage, changes }: BotsOfAgentProps) {
  const [isOpen, setOpen] = useState(false);
  const { botIds } = member;
  const names = useBotNames(botIds !== undefined);
  const text = botIds ? botIds.map(id => names.get(id) ?? t('deletedBot')).join(', ') : t('allBots');
  const shown = (
    <Text size="xs" c="dimmed" lineClamp={2} component="span">
      {t('botsAre', { bots: text })}
    </Text>
  );
  if (!mayManage) return shown;
  return (
    <>
      <UnstyledButton
        onClick={() => setOpen(true)}
        style={{ display: 'block', marginTop: 4, textDecoration: 'underline dotted' }}
      >
        {shown}
        <VisuallyHidden> {t('changeBotsOf', { name })}</VisuallyHidden>
      </UnstyledButton>
      {isOpen && <BotsDialog member={member} name={name} changes={changes} onClose={() => setOpen(false)} />}
    </>
  );
}

function BotsDialog({ member, name, changes, onClose }: Omit<BotsOfAgentProps, 'mayManage'> & { onClose: () => void }) {
  const parley = useParley();
  const [botIds, setBotIds] = useState(member.botIds ?? []);
  const save = useAction(() => parley.updateMemberBots(member.id, botIds.length > 0 ? botIds : null), {
    done: t('botsSaved'),
    changes,
    onDone: onClose,
  });
  return (
    <Modal opened onClose={onClose} title={t('botsOf', { name })}>
      <Stack>
        <BotsField value={botIds} onChange={setBotIds} />
        <Text size="sm" c="dimmed">
          {t('botsEffect')}
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {ofAll('cancel')}
          </Button>
          <Button loading={save.isPending} onClick={() => save.mutate(undefined)}>
            {t('saveSettings')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
