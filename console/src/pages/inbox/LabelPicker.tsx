/** Multi-select menu of the labels of a conversation. */
import { Combobox, Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useParley } from '../../api/clients.ts';
import { useAction } from '../../api/useAction.ts';
import { useLabels } from '../../api/useLabels.ts';
import { IconCheck } from '../../icons/tabler.ts';
import { labels as texts } from '../../messages/en/labels.ts';
import { translator } from '../../messages/translate.ts';
import { LabelDot } from '../../parts/LabelChip.tsx';
import type { Conversation } from '../conversations/useConversations.ts';
import { useOptionSearch } from './useOptionSearch.ts';

const t = translator('labels', texts);

/** Limit of the API. */
const MAX_LABELS = 20;

interface LabelPickerProps {
  botId: string;
  conversationId: string;
  labelIds: readonly string[];
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
  /** Trigger button. */
  children: ReactElement;
}

export function LabelPicker({ botId, conversationId, labelIds, isOpen, setOpen, children }: LabelPickerProps) {
  const { data: labels } = useLabels(isOpen);
  const { combobox, text, setText, wanted } = useOptionSearch({ isOpen, setOpen, loaded: labels?.length ?? 0 });
  const toggle = useToggle(botId, conversationId);
  const shown = (labels ?? [])
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .sort((one, other) => one.name.localeCompare(other.name));
  const isFull = labelIds.length >= MAX_LABELS;
  return (
    <Combobox
      store={combobox}
      width={260}
      position="bottom-end"
      withinPortal={false}
      shadow="md"
      // Focuses the search before the next key press, which would otherwise trigger a shortcut.
      transitionProps={{ duration: 0 }}
      onOptionSubmit={id => toggle(id, labelIds.includes(id))}
    >
      <Combobox.Target targetType="button">{children}</Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          autoFocus
          aria-label={t('search')}
          placeholder={t('search')}
          value={text}
          onChange={event => setText(event.currentTarget.value)}
        />
        <Combobox.Options aria-label={t('labels')} aria-multiselectable mah={280} style={{ overflowY: 'auto' }}>
          {shown.map(({ id, name, color }) => {
            const isChosen = labelIds.includes(id);
            return (
              <Combobox.Option key={id} value={id} active={isChosen} disabled={isFull && !isChosen}>
                <Group gap={8} wrap="nowrap">
                  <LabelDot color={color} />
                  <bdi style={{ flex: 1, overflowWrap: 'anywhere' }}>{name}</bdi>
                  {isChosen && <IconCheck size={14} aria-hidden />}
                </Group>
              </Combobox.Option>
            );
          })}
          {labels && shown.length === 0 && (
            <Combobox.Empty>{labels.length === 0 ? t('noneYet') : t('noMatch')}</Combobox.Empty>
          )}
          {isFull && <Combobox.Footer>{t('tooMany', { most: MAX_LABELS })}</Combobox.Footer>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

/** Shows the change immediately. Calls run one after the other, and the last response shows the stored labels. */
function useToggle(botId: string, conversationId: string) {
  const parley = useParley(botId);
  const queries = useQueryClient();
  const queryKey = ['conversation', botId, conversationId];
  const show = (labelIds: (before: readonly string[]) => readonly string[] | undefined) =>
    queries.setQueryData<Conversation>(
      queryKey,
      before => before && ({ ...before, labelIds: labelIds(before.labelIds ?? []) } as Conversation),
    );
  const change = useAction(
    ({ id, isChosen }: { id: string; isChosen: boolean }) =>
      parley.updateConversationLabels(conversationId, isChosen ? { remove: [id] } : { add: [id] }),
    {
      scope: `labels ${conversationId}`,
      onFailed: () => void queries.invalidateQueries({ queryKey }),
      onDone: ({ conversation }) => show(() => conversation.labelIds),
    },
  );
  return (id: string, isChosen: boolean) => {
    void queries.cancelQueries({ queryKey });
    show(before => (isChosen ? before.filter(each => each !== id) : [...before, id]));
    change.mutate({ id, isChosen });
  };
}
