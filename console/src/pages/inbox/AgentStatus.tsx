import { Text, VisuallyHidden } from '@mantine/core';
import type { Agent } from '../../api/contract.ts';
import { presenceOf } from '../../api/useAgents.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { translator } from '../../messages/translate.ts';
import { PresenceDot } from '../../parts/Presence.tsx';

const t = translator('inbox', inbox);

/** The status of an agent and the number of their open conversations. */
export function AgentStatus({ agent }: { agent: Agent | undefined }) {
  if (!agent) return null;
  const presence = presenceOf(agent);
  const { openCount: count } = agent;
  return (
    <>
      {count > 0 && (
        <Text component="span" size="xs" c="dimmed" title={t('openOf', { count })}>
          <span aria-hidden>{count}</span>
          <VisuallyHidden>{t('openOf', { count })}</VisuallyHidden>
        </Text>
      )}
      <span title={t(`presence_${presence}`)}>
        <PresenceDot presence={presence} />
        <VisuallyHidden>{t(`presence_${presence}`)}</VisuallyHidden>
      </span>
    </>
  );
}
