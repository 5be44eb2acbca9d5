import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useParley } from '../../api/clients.ts';
import { useAction } from '../../api/useAction.ts';
import type { Role } from '../../api/useMember.ts';
import { IconPlus } from '../../icons/tabler.ts';
import { workspace } from '../../messages/en/workspace.ts';
import { translator } from '../../messages/translate.ts';
import { useDialog } from '../../navigation/useDialog.ts';
import { FormModal } from '../../parts/FormDialog.tsx';
import { When } from '../../parts/Small.tsx';
import { invitationLink } from '../../session/invitation.ts';
import { BotsField } from './BotsField.tsx';
import { LinkOnce, STAYS } from './LinkDialog.tsx';
import { roleOptions } from './roles.ts';

const t = translator('workspace', workspace);

/** Roles in the client's types, which omit `agent`. */
export type KnownRole = Exclude<Role, 'agent'>;

export function Invite({ changes }: { changes: string[][] }) {
  const parley = useParley();
  const { isOpen, open, close } = useDialog('member');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const [botIds, setBotIds] = useState<string[]>([]);
  const invite = useAction(
    () => parley.inviteMember({ email, role, ...(role === 'agent' && botIds.length > 0 ? { botIds } : {}) }),
    { changes },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate(undefined);
  };
  const closeAndForget = () => {
    close();
    invite.reset();
    setEmail('');
    setBotIds([]);
  };
  return (
    <>
      <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={open}>
        {t('invite')}
      </Button>
      <FormModal
        opened={isOpen || invite.data !== undefined}
        onClose={closeAndForget}
        title={t('invite')}
        {...(invite.data || invite.isPending ? STAYS : {})}
      >
        {invite.data ? (
          <LinkOnce link={invitationLink(invite.data.inviteToken)} onClose={closeAndForget}>
            {t.rich('inviteAbout', { time: <When at={invite.data.inviteExpiresAt} /> })}
          </LinkOnce>
        ) : (
          <form onSubmit={submit}>
            <Stack>
              <TextInput
                label={t('email')}
                type="email"
                value={email}
                onChange={event => setEmail(event.currentTarget.value)}
                required
                data-autofocus
              />
              <NativeSelect
                label={t('role')}
                data={roleOptions()}
                value={role}
                onChange={event => setRole(event.currentTarget.value as Role)}
              />
              {role === 'agent' && <BotsField value={botIds} onChange={setBotIds} />}
              <Group justify="flex-end">
                <Button type="submit" loading={invite.isPending}>
                  {t('createInvitation')}
                </Button>
              </Group>
            </Stack>
          </form>
        )}
      </FormModal>
    </>
  );
}
