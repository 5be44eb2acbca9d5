/** Confirmations of changes of a member, which name their consequences. */
import { Button, Group, List, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Role } from '../../api/useMember.ts';
import { useOpenConversations } from '../../api/useOpenConversations.ts';
import { common } from '../../messages/en/common.ts';
import { workspace } from '../../messages/en/workspace.ts';
import { translator } from '../../messages/translate.ts';
import { Modal } from '../../parts/Overlay.tsx';
import { differencesOf, mayAnswer, roleName } from './roles.ts';

const t = translator('workspace', workspace);
const ofAll = translator('common', common);

interface DecisionProps {
  title: string;
  confirm: string;
  isDanger: boolean;
  children: ReactNode;
  onConfirm: () => void;
  onClose: () => void;
}

export const Decision = ({ title, confirm, isDanger, children, onConfirm, onClose }: DecisionProps) => (
  <Modal opened onClose={onClose} title={title}>
    <Stack>
      {children}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose} data-autofocus>
          {ofAll('cancel')}
        </Button>
        <Button
          {...(isDanger ? { color: 'red.9' } : {})}
          onClick={() => {
            onClose();
            onConfirm();
          }}
        >
          {confirm}
        </Button>
      </Group>
    </Stack>
  </Modal>
);

/** States how many conversations return to the queue. */
export function OpenConversations({ accountId }: { accountId: string | undefined }) {
  const { data, error } = useOpenConversations(accountId, true);
  if (accountId === undefined) return null;
  const text = () => {
    if (error) return t('openUnknown');
    if (!data) return t('openCounting');
    if (data.isMinimum) return t('openAtLeast', { count: data.count });
    return data.count === 0 ? t('openNone') : t('open', { count: data.count });
  };
  return (
    <Text size="sm" role="status" fw={data && data.count > 0 ? 600 : undefined}>
      {text()}
    </Text>
  );
}

interface RoleChangeProps {
  name: string;
  accountId: string | undefined;
  before: Role;
  after: Role;
  onConfirm: () => void;
  onClose: () => void;
}

export function RoleChange({ name, accountId, before, after, onConfirm, onClose }: RoleChangeProps) {
  const { gained, lost } = differencesOf(before, after);
  return (
    <Decision
      title={t('changeRoleTitle', { name })}
      confirm={t('changeRole')}
      isDanger={lost.length > 0}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <Text size="sm">{t('changeRoleAbout', { before: roleName(before), after: roleName(after) })}</Text>
      <Capabilities title={t('gains')} texts={gained} />
      <Capabilities title={t('loses')} texts={lost} />
      {mayAnswer(before) && !mayAnswer(after) && <OpenConversations accountId={accountId} />}
    </Decision>
  );
}

const Capabilities = ({ title, texts }: { title: string; texts: string[] }) =>
  texts.length > 0 && (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <List size="sm">
        {texts.map(text => (
          <List.Item key={text}>{text}</List.Item>
        ))}
      </List>
    </div>
  );
