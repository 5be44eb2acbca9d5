/** Labels of the workspace: their names and colors. */
import { Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useParley, useWorkspaceId } from '../../api/clients.ts';
import type { InboxLabel } from '../../api/contract.ts';
import { explain } from '../../api/explain.ts';
import { useAction } from '../../api/useAction.ts';
import { labelsKey, useLabels } from '../../api/useLabels.ts';
import { useMember } from '../../api/useMember.ts';
import { IconPencil, IconPlus, IconTrash } from '../../icons/tabler.ts';
import { labels as texts } from '../../messages/en/labels.ts';
import { translator } from '../../messages/translate.ts';
import { IconAction } from '../../parts/Copyable.tsx';
import { FormButtons, FormModal } from '../../parts/FormDialog.tsx';
import { LabelChip, LabelDot } from '../../parts/LabelChip.tsx';
import { SectionHeading } from '../../parts/Section.tsx';
import { Confirm } from '../../parts/Small.tsx';
import { Loaded } from '../../parts/States.tsx';
import { useUnsaved } from '../../parts/unsaved.ts';
import classes from './InboxLabels.module.css';
import { MANAGING } from './managing.ts';

const t = translator('labels', texts);

/** Limits of the API. */
const MAX_CHARACTERS = 50;
const MAX_LABELS = 100;
const COLORS = ['gray', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple'] as const;

export function InboxLabels() {
  const parley = useParley();
  const workspaceId = useWorkspaceId();
  const query = useLabels();
  const { data: me } = useMember();
  const mayChange = MANAGING.includes(me?.role);
  const [edited, setEdited] = useState<InboxLabel | 'new'>();
  const remove = useAction((id: string) => parley.deleteInboxLabel(id), {
    done: t('deleted'),
    changes: [labelsKey(workspaceId)],
  });
  return (
    <section aria-label={t('labels')}>
      <Stack gap="xs">
        <Group justify="space-between" align="flex-start" wrap="nowrap">
          <SectionHeading title={t('labels')} about={t('about')} order={3} />
          {mayChange && (
            <Button
              variant="default"
              size="xs"
              leftSection={<IconPlus size={14} aria-hidden />}
              disabled={(query.data?.length ?? 0) >= MAX_LABELS}
              onClick={() => setEdited('new')}
            >
              {t('create')}
            </Button>
          )}
        </Group>
        <Loaded query={query}>
          {all =>
            all.length === 0 ? (
              <Text size="sm" c="dimmed">
                {t('none')}
              </Text>
            ) : (
              <ul className={classes.list}>
                {all.map(label => (
                  <li key={label.id} className={classes.row}>
                    <LabelChip color={label.color}>
                      <bdi>{label.name}</bdi>
                    </LabelChip>
                    {mayChange && (
                      <Group gap={2} wrap="nowrap">
                        <IconAction label={t('editOne')} Icon={IconPencil} onClick={() => setEdited(label)} />
                        <Confirm
                          label={t('delete')}
                          Icon={IconTrash}
                          title={t('deleteTitle', { name: label.name })}
                          isBusy={remove.isPending}
                          onConfirm={() => remove.mutate(label.id)}
                        >
                          {t('deleteAbout')}
                        </Confirm>
                      </Group>
                    )}
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </Stack>
      <FormModal
        opened={edited !== undefined}
        onClose={() => setEdited(undefined)}
        title={edited === 'new' ? t('create') : t('editOne')}
      >
        {edited && <Edit label={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
      </FormModal>
    </section>
  );
}

interface EditProps {
  /** Undefined for a new one. */
  label: InboxLabel | undefined;
  onClose: () => void;
}

function Edit({ label, onClose }: EditProps) {
  const parley = useParley();
  const workspaceId = useWorkspaceId();
  const [name, setName] = useState(label?.name ?? '');
  const [color, setColor] = useState<InboxLabel['color']>(label?.color ?? 'blue');
  const [error, setError] = useState<string>();
  useUnsaved(name !== (label?.name ?? '') || color !== (label?.color ?? 'blue'));
  const save = useAction(
    () => {
      const fields = { name: name.trim(), color };
      return label ? parley.updateInboxLabel(label.id, fields) : parley.createInboxLabel(fields);
    },
    {
      done: t('saved'),
      changes: [labelsKey(workspaceId)],
      showError: cause => {
        const { type, message } = explain(cause);
        const isOfName = type === 'AlreadyExists' || type === 'InvalidPayload';
        if (isOfName) setError(message);
        return isOfName;
      },
      onDone: onClose,
    },
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
          value={name}
          maxLength={MAX_CHARACTERS}
          required
          withAsterisk={false}
          dir="auto"
          error={error}
          onChange={event => {
            setName(event.currentTarget.value);
            setError(undefined);
          }}
          data-autofocus
        />
        <Radio.Group label={t('color')} value={color} onChange={value => setColor(value as InboxLabel['color'])}>
          <Group gap="sm" mt={6}>
            {COLORS.map(each => (
              <Radio
                key={each}
                value={each}
                label={
                  <Group gap={6} wrap="nowrap">
                    <LabelDot color={each} />
                    {t(`color_${each}`)}
                  </Group>
                }
              />
            ))}
          </Group>
        </Radio.Group>
        <FormButtons submit={t('save')} isBusy={save.isPending} />
      </Stack>
    </form>
  );
}
