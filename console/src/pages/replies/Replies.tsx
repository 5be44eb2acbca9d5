/** Saved replies of a bot and of its workspace, which members insert in the inbox. */
import { Button, Group, Radio, Stack, Table, Text, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { useParley } from '../../api/clients.ts';
import type { SavedReply } from '../../api/contract.ts';
import { useAction } from '../../api/useAction.ts';
import { IconMessage2Bolt, IconPlus, IconTrash } from '../../icons/tabler.ts';
import { replies as texts } from '../../messages/en/replies.ts';
import { translator } from '../../messages/translate.ts';
import { useBotId } from '../../navigation/useRoute.ts';
import { FilterText } from '../../parts/Fields.tsx';
import { CancelButton, FormModal } from '../../parts/FormDialog.tsx';
import { Page, Toolbar } from '../../parts/Page.tsx';
import { ACTIONS, Confirm, Row, RowActions, RowButton, Rows, When } from '../../parts/Small.tsx';
import { Empty, Loaded } from '../../parts/States.tsx';
import { useUnsaved } from '../../parts/unsaved.ts';
import { useSavedReplies } from '../inbox/useSavedReplies.ts';
import { useCaller } from '../inbox/useTeam.ts';
import { Preview, Variables } from './Variables.tsx';

const t = translator('replies', texts);

/** Limits of the API. */
const MAX_CHARACTERS = { name: 100, text: 10_000 };

/** Replies of the workspace are part of the lists of all bots. */
const SAVED_REPLIES = ['savedReplies'] as const;

export function Replies() {
  const botId = useBotId();
  const parley = useParley(botId);
  const query = useSavedReplies(botId);
  const { mayHandle } = useCaller();
  const [text, setText] = useState('');
  const [edited, setEdited] = useState<SavedReply | 'new'>();
  const remove = useAction((id: string) => parley.deleteSavedReply(id), {
    done: t('deleted'),
    changes: [SAVED_REPLIES],
  });
  const wanted = text.trim().toLowerCase();
  const newReply = mayHandle && (
    <Button leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setEdited('new')}>
      {t('new')}
    </Button>
  );
  return (
    <Page title={t('title')} about={t('about')} actions={newReply}>
      <Loaded query={query}>
        {all => {
          const shown = all.filter(reply => `${reply.name}\n${reply.text}`.toLowerCase().includes(wanted));
          if (all.length === 0)
            return (
              <Empty Icon={IconMessage2Bolt} title={t('none')} action={newReply}>
                {t('noneAbout')}
              </Empty>
            );
          return (
            <>
              <Toolbar>
                <FilterText width={260} label={t('search')} value={text} onChange={setText} />
              </Toolbar>
              {shown.length === 0 && <Empty title={t('noMatch')}>{t('noMatchAbout')}</Empty>}
              {shown.length > 0 && (
                <Rows label={t('title')} heads={[t('name'), t('text'), t('scope'), t('changed'), ACTIONS]}>
                  {shown.map(reply => (
                    <Row key={reply.id}>
                      <Table.Td>
                        <RowButton onClick={() => setEdited(reply)}>{reply.name}</RowButton>
                      </Table.Td>
                      <Table.Td>
                        <Text size="sm" dir="auto" lineClamp={2} maw={560} style={{ overflowWrap: 'anywhere' }}>
                          {reply.text}
                        </Text>
                      </Table.Td>
                      <Table.Td>{t(`scope_${reply.scope}`)}</Table.Td>
                      <Table.Td>
                        <When at={reply.updatedAt} />
                      </Table.Td>
                      <RowActions>
                        {mayHandle && (
                          <Confirm
                            label={t('delete')}
                            Icon={IconTrash}
                            title={t('deleteTitle', { name: reply.name })}
                            isBusy={remove.isPending}
                            onConfirm={() => remove.mutate(reply.id)}
                          >
                            {t('deleteAbout')}
                          </Confirm>
                        )}
                      </RowActions>
                    </Row>
                  ))}
                </Rows>
              )}
            </>
          );
        }}
      </Loaded>
      <FormModal
        opened={edited !== undefined}
        onClose={() => setEdited(undefined)}
        title={edited === 'new' ? t('new') : edited?.name}
        size="lg"
      >
        {edited && (
          <Edit
            botId={botId}
            reply={edited === 'new' ? undefined : edited}
            isReadOnly={!mayHandle}
            onClose={() => setEdited(undefined)}
          />
        )}
      </FormModal>
    </Page>
  );
}

interface EditProps {
  botId: string;
  /** Undefined for a new one. */
  reply: SavedReply | undefined;
  isReadOnly: boolean;
  onClose: () => void;
}

function Edit({ botId, reply, isReadOnly, onClose }: EditProps) {
  const parley = useParley(botId);
  const [name, setName] = useState(reply?.name ?? '');
  const [text, setText] = useState(reply?.text ?? '');
  const [scope, setScope] = useState<SavedReply['scope']>(reply?.scope ?? 'workspace');
  const field = useRef<HTMLTextAreaElement>(null);
  useUnsaved(name !== (reply?.name ?? '') || text !== (reply?.text ?? ''));
  const save = useAction(
    () => (reply ? parley.updateSavedReply(reply.id, { name, text }) : parley.createSavedReply({ name, text, scope })),
    { done: t('saved'), changes: [SAVED_REPLIES], onDone: onClose },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('name')}
          description={t('nameAbout')}
          value={name}
          onChange={event => setName(event.currentTarget.value)}
          maxLength={MAX_CHARACTERS.name}
          readOnly={isReadOnly}
          required
          withAsterisk={false}
          data-autofocus
        />
        <Radio.Group
          label={t('scope')}
          description={reply && t('scopeFixed')}
          value={scope}
          onChange={value => setScope(value as SavedReply['scope'])}
        >
          <Group mt={6}>
            {(['workspace', 'bot'] as const).map(each => (
              <Radio
                key={each}
                value={each}
                label={t(`scope_${each}`)}
                disabled={isReadOnly || (reply !== undefined && reply.scope !== each)}
              />
            ))}
          </Group>
        </Radio.Group>
        <Textarea
          ref={field}
          label={t('text')}
          dir="auto"
          value={text}
          onChange={event => setText(event.currentTarget.value)}
          maxLength={MAX_CHARACTERS.text}
          readOnly={isReadOnly}
          autosize
          minRows={5}
          maxRows={16}
          required
          withAsterisk={false}
        />
        {!isReadOnly && <Variables field={field} text={text} onChange={setText} />}
        <Preview botId={botId} text={text} />
        <Group justify="flex-end" gap="xs">
          <CancelButton />
          {!isReadOnly && (
            <Button type="submit" loading={save.isPending}>
              {t('save')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
