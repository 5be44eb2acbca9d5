/** The form with the settings beside their preview. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useParley } from '../../api/clients.ts';
import type { Output } from '../../api/contract.ts';
import { explain } from '../../api/explain.ts';
import { useAction } from '../../api/useAction.ts';
import type { Bot, Installation } from '../../api/useBot.ts';
import { useMember } from '../../api/useMember.ts';
import { IconAlertCircle } from '../../icons/tabler.ts';
import { widget } from '../../messages/en/widget.ts';
import { translator } from '../../messages/translate.ts';
import { Copy } from '../../parts/Copyable.tsx';
import { LeaveGuard } from '../../parts/LeaveGuard.tsx';
import { Section } from '../../parts/Section.tsx';
import { Json } from '../../parts/Small.tsx';
import { configuration } from '../../session/configuration.ts';
import { widgetTag } from '../integrations/widgetTag.ts';
import { AvailabilitySection } from './AvailabilitySection.tsx';
import { BeforeSection } from './BeforeSection.tsx';
import { AfterSection, GreetingSection } from './ContentSections.tsx';
import { LooksSection } from './LooksSection.tsx';
import { Preview } from './Preview.tsx';
import classes from './Widget.module.css';
import { type Change, hasColorFault, isSame, settingsOf, type WidgetSettings } from './widgetDraft.ts';

const t = translator('widget', widget);

interface WidgetEditorProps {
  bot: Bot;
  chat: Installation;
  stored: Output<'getBotWidget'>['widget'];
}

/** Roles that read settings only. The API enforces the same permissions. */
const READERS = ['viewer', 'billing'];

export function WidgetEditor({ bot, chat, stored }: WidgetEditorProps) {
  const parley = useParley(bot.id);
  /** What the form was filled with. Its version detects changes of others. */
  const [base, setBase] = useState(stored);
  const [draft, setDraft] = useState<WidgetSettings>(stored.settings);
  const [fault, setFault] = useState<SaveFault>();
  const change: Change = changes => {
    setDraft(former => ({ ...former, ...changes }));
    // A conflict remains until the saved settings are loaded.
    setFault(former => (former?.isConflict ? former : undefined));
  };
  const fill = (next: typeof stored) => {
    setBase(next);
    setDraft(next.settings);
    setFault(undefined);
  };
  const isReadOnly = READERS.includes(useMember().data?.role ?? '');
  const isChanged = !isSame(draft, base.settings);
  const save = useAction(
    (settings: WidgetSettings) => parley.setWidget(chat.webhookId, { settings, version: base.version }),
    {
      done: t('saved'),
      onDone: ({ widget: saved }) => fill(saved),
      showError: error => {
        const { type, message } = explain(error);
        if (type !== 'InvalidPayload' && type !== 'RelationConflict') return false;
        setFault({ message, isConflict: type === 'RelationConflict' });
        return true;
      },
    },
  );
  const load = useAction(() => parley.getWidget(chat.webhookId), { onDone: ({ widget: saved }) => fill(saved) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (hasColorFault(draft)) return setFault({ message: t('faultColor'), isConflict: false });
    save.mutate(settingsOf(draft));
  };
  return (
    <div className={classes.columns}>
      <LeaveGuard isChanged={isChanged && !save.isPending} />
      <form onSubmit={submit} aria-label={t('title')}>
        <fieldset className={classes.fieldset} disabled={isReadOnly}>
          <Stack>
            {isReadOnly && <Text size="sm">{t('readOnly')}</Text>}
            <GreetingSection draft={draft} change={change} />
            <LooksSection draft={draft} change={change} />
            <BeforeSection draft={draft} change={change} />
            <AvailabilitySection draft={draft} change={change} />
            <AfterSection draft={draft} change={change} />
            {!isReadOnly && (
              <Stack className={classes.actions} gap="sm">
                {fault && <Fault fault={fault} onLoad={() => load.mutate(undefined)} />}
                <Group>
                  <Button type="submit" loading={save.isPending} disabled={!isChanged}>
                    {t('save')}
                  </Button>
                  <Button variant="default" disabled={!isChanged} onClick={() => fill(base)}>
                    {t('revert')}
                  </Button>
                </Group>
              </Stack>
            )}
          </Stack>
        </fieldset>
      </form>
      <Stack className={classes.aside}>
        <Section title={t('preview')} about={t('previewAbout')}>
          <Preview chatUrl={`${configuration().chatUrl}/${chat.webhookId}`} settings={draft} />
        </Section>
        <Section title={t('embed')} about={t('embedAbout')}>
          <EmbedCode chat={chat} />
        </Section>
      </Stack>
    </div>
  );
}

interface SaveFault {
  message: string;
  isConflict: boolean;
}

function Fault({ fault: { message, isConflict }, onLoad }: { fault: SaveFault; onLoad: () => void }) {
  return (
    <Alert
      variant="light"
      color="red"
      icon={<IconAlertCircle />}
      title={t(isConflict ? 'conflictTitle' : 'faultTitle')}
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm" c="var(--mantine-color-text)" style={{ overflowWrap: 'anywhere' }}>
          {isConflict ? t('conflict') : message}
        </Text>
        {isConflict && (
          <Button size="xs" variant="default" onClick={onLoad}>
            {t('load')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

function EmbedCode({ chat }: { chat: Installation }) {
  const tag = widgetTag({ page: new URL('.', document.baseURI).href, platform: configuration(), chat });
  return (
    <Group align="flex-start" wrap="nowrap">
      <Json value={tag} label={t('embedCode')} isText />
      <Copy value={tag} label={t('copyCode')} />
    </Group>
  );
}
