import { Button, Menu, TextInput } from '@mantine/core';
import { IconArrowBackUp, IconCheck, IconUserShare } from '@tabler/icons-react';
import { useState } from 'react';
import type { Handoff } from '../../api/parley.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { translator } from '../../messages/translate.ts';
import { Person } from '../../parts/Person.tsx';
import { useTeam } from './useTeam.ts';

const t = translator('inbox', inbox);

/** Number of members from which the menu can be searched. */
const MANY = 8;

interface AssignMenuProps {
  handoff: Handoff | undefined;
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
  /** Null makes the conversation wait again. */
  onAssign: (accountId: string | null) => void;
}

export function AssignMenu({ handoff, isOpen, setOpen, onAssign }: AssignMenuProps) {
  const { members, ownId } = useTeam();
  const [text, setText] = useState('');
  const serving = members.filter(({ mayServe }) => mayServe);
  const shown = serving.filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()));
  return (
    <Menu opened={isOpen} onChange={setOpen} width={260} onClose={() => setText('')}>
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<IconUserShare size={14} aria-hidden />}>
          {t('assign')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        {serving.length >= MANY && (
          <TextInput
            aria-label={t('searchMembers')}
            placeholder={t('searchMembers')}
            value={text}
            onChange={event => setText(event.currentTarget.value)}
            mb={4}
            data-autofocus
          />
        )}
        {shown.map(({ userId, name, pictureUrl }) => (
          <Menu.Item
            key={userId}
            leftSection={<Person name={name} id={userId} pictureUrl={pictureUrl} size={20} />}
            rightSection={handoff?.member?.id === userId && <IconCheck size={14} aria-label={t('serving')} />}
            onClick={() => onAssign(userId)}
          >
            {userId === ownId ? t('nameYou', { name }) : name}
          </Menu.Item>
        ))}
        {handoff?.status === 'served' && (
          <>
            <Menu.Divider />
            <Menu.Item leftSection={<IconArrowBackUp size={16} aria-hidden />} onClick={() => onAssign(null)}>
              {t('release')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
