/** Buttons that insert variables, and a preview with example names. */
import { Button, Group, Input, Paper, Text } from '@mantine/core';
import type { RefObject } from 'react';
import { useBot } from '../../api/useBot.ts';
import { replies as texts } from '../../messages/en/replies.ts';
import { translator } from '../../messages/translate.ts';
import { filled, spelled, VARIABLES, type Variable, valuesOf, variablesIn } from '../../parts/replyVariables.ts';
import { useTeam } from '../inbox/useTeam.ts';

const t = translator('replies', texts);

interface VariablesProps {
  field: RefObject<HTMLTextAreaElement | null>;
  text: string;
  onChange: (text: string) => void;
}

export function Variables({ field, text, onChange }: VariablesProps) {
  const insert = (variable: Variable) => {
    const { selectionStart = text.length, selectionEnd = text.length } = field.current ?? {};
    const before = text.slice(0, selectionStart) + spelled(variable);
    onChange(before + text.slice(selectionEnd));
    // Runs after the text is rendered.
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(before.length, before.length);
    });
  };
  return (
    <Input.Wrapper label={t('variables')} description={t('variablesAbout')} labelElement="div">
      <Group gap={6} mt={6} role="group" aria-label={t('variables')}>
        {VARIABLES.map(variable => (
          <Button key={variable} size="compact-xs" variant="default" onClick={() => insert(variable)}>
            {t(`variable_${variable}`)}
          </Button>
        ))}
      </Group>
    </Input.Wrapper>
  );
}

/** Appears when the text contains variables. */
export function Preview({ botId, text }: { botId: string; text: string }) {
  const { data: bot } = useBot(botId);
  const { members, ownId } = useTeam();
  if (variablesIn(text).length === 0) return null;
  const agent = members.find(({ userId }) => userId === ownId)?.displayName || t('exampleAgent');
  const values = valuesOf({ user: t('exampleUser'), agent, bot: bot?.name || t('exampleBot') });
  return (
    <Input.Wrapper label={t('preview')} labelElement="div">
      <Paper withBorder p="xs" mt={4}>
        <Text size="sm" dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {filled(text, values)}
        </Text>
      </Paper>
    </Input.Wrapper>
  );
}
