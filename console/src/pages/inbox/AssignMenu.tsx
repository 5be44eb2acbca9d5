import { Button, Combobox, Group } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Handoff } from '../../api/contract.ts';
import { useAgents } from '../../api/useAgents.ts';
import { IconArrowBackUp, IconCheck, IconUserShare } from '../../icons/tabler.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { translator } from '../../messages/translate.ts';
import { useMaybeBotId } from '../../navigation/useRoute.ts';
import { Person } from '../../parts/Person.tsx';
import { AgentStatus } from './AgentStatus.tsx';
import { useOptionSearch } from './useOptionSearch.ts';
import { useTeam } from './useTeam.ts';

const t = translator('inbox', inbox);

/** Value of the option that returns the conversation to the queue. */
const RELEASE = '';

/** Maximum number of members in the list. A search covers all members. */
const MAX_SHOWN = 8;

interface AssignMenuProps {
  handoff: Handoff | undefined;
  /** Offers to return to the queue. By default, if the conversation is assigned. */
  canRelease?: boolean;
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
  /** Null returns the conversation to the queue. */
  onAssign: (accountId: string | null) => void;
  /** The button; by default, one with a text. */
  target?: ReactElement;
}

/** Chooses the assignee of conversations. */
export function AssignMenu(props: AssignMenuProps) {
  const { handoff, canRelease = handoff?.status === 'served', isOpen, setOpen, onAssign, target } = props;
  const { members, ownId } = useTeam();
  const botId = useMaybeBotId();
  const agents = useAgents(isOpen);
  const { combobox, text, setText, wanted } = useOptionSearch({ isOpen, setOpen, loaded: members.length });
  const shown = members
    .filter(({ name, mayHandle }) => mayHandle && name.toLowerCase().includes(wanted))
    // Agents of other bots cannot be assigned.
    .filter(({ userId }) => agents.get(userId)?.botIds?.includes(botId ?? '') ?? true)
    .sort((a, b) => Number(b.userId === ownId) - Number(a.userId === ownId) || a.name.localeCompare(b.name))
    .slice(0, MAX_SHOWN);
  return (
    <Combobox
      store={combobox}
      width={300}
      position="bottom-end"
      withinPortal={false}
      shadow="md"
      // Focuses the search before the next key press, which would otherwise trigger a shortcut.
      transitionProps={{ duration: 0 }}
      onOptionSubmit={value => {
        setOpen(false);
        onAssign(value === RELEASE ? null : value);
      }}
    >
      <Combobox.Target targetType="button">
        {target ?? (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconUserShare size={14} aria-hidden />}
            data-action="assign"
            onClick={() => setOpen(!isOpen)}
          >
            {t('assign')}
          </Button>
        )}
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          autoFocus
          aria-label={t('searchMembers')}
          placeholder={t('searchMembers')}
          value={text}
          onChange={event => setText(event.currentTarget.value)}
        />
        <Combobox.Options aria-label={t('assign')}>
          {shown.map(({ userId, name, pictureUrl }) => (
            <Combobox.Option key={userId} value={userId}>
              <Group gap={8} wrap="nowrap">
                <Person name={name} id={userId} pictureUrl={pictureUrl} size={20} />
                <span style={{ flex: 1, overflowWrap: 'anywhere' }}>
                  {userId === ownId ? t('nameYou', { name }) : name}
                </span>
                <AgentStatus agent={agents.get(userId)} />
                {handoff?.member?.id === userId && <IconCheck size={14} role="img" aria-label={t('assigned')} />}
              </Group>
            </Combobox.Option>
          ))}
          {canRelease && wanted === '' && (
            <Combobox.Option value={RELEASE}>
              <Group gap={8} wrap="nowrap">
                <IconArrowBackUp size={20} aria-hidden />
                {t('release')}
              </Group>
            </Combobox.Option>
          )}
          {shown.length === 0 && <Combobox.Empty>{t('noMember')}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
