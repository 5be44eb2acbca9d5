/** Downloads the messages of a conversation. They are read page by page in the browser. */
import { ActionIcon, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useBotClient, useParley } from '../../api/clients.ts';
import { useAction } from '../../api/useAction.ts';
import { IconDownload } from '../../icons/tabler.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { language } from '../../messages/language.ts';
import { translator } from '../../messages/translate.ts';
import { summaryOf } from '../../parts/Payload.tsx';
import { saveFile } from '../../parts/saveFile.ts';
import { formatWhole } from '../../parts/time.ts';
import { actorName } from './actorName.ts';
import {
  contentOf,
  fileNameOf,
  TRANSCRIPT_FORMATS,
  type Transcript,
  type TranscriptEntry,
  type TranscriptFormat,
  typeOf,
} from './transcript.ts';
import { usePeople } from './usePeople.ts';

const t = translator('inbox', inbox);

/** Limit of a transcript, in messages and in notes. */
const MAX_MESSAGES = 10_000;
const MAX_NOTES = 1_000;
const PAGE = 50;

interface TranscriptMenuProps {
  botId: string;
  conversationId: string;
  title: string;
}

export function TranscriptMenu({ botId, conversationId, title }: TranscriptMenuProps) {
  const [hasNotes, setHasNotes] = useState(false);
  const readEntries = useEntries(botId, conversationId);
  const download = useAction(async (format: TranscriptFormat) => {
    const { entries, isCut } = await readEntries(hasNotes);
    const exportedAt = new Date().toISOString();
    const limit = isCut ? { limit: t('transcriptLimit', { most: MAX_MESSAGES }) } : {};
    const transcript: Transcript = { title, conversationId, exportedAt, ...limit, entries };
    const labels = { note: t('note'), language, formatTime: formatWhole };
    saveFile(fileNameOf(title, exportedAt, format), contentOf(transcript, format, labels), typeOf(format));
    if (isCut) notifications.show({ message: t('transcriptLimit', { most: MAX_MESSAGES }) });
  });
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('transcript')}
          title={t('transcript')}
          loading={download.isPending}
        >
          <IconDownload size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('transcript')}</Menu.Label>
        <Menu.CheckboxItem checked={hasNotes} onChange={setHasNotes} closeMenuOnClick={false}>
          {t('transcriptNotes')}
        </Menu.CheckboxItem>
        <Menu.Divider />
        {TRANSCRIPT_FORMATS.map(format => (
          <Menu.Item key={format} onClick={() => download.mutate(format)}>
            {t(`transcript_${format}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Returns a function that reads the latest messages, and the notes among them. */
function useEntries(botId: string, conversationId: string) {
  const client = useBotClient(botId);
  const parley = useParley(botId);
  const people = usePeople(botId, conversationId);
  return async (hasNotes: boolean): Promise<{ entries: TranscriptEntry[]; isCut: boolean }> => {
    const messages: TranscriptEntry[] = [];
    let nextToken: string | undefined;
    do {
      const page = await client.listMessages({ conversationId, pageSize: PAGE, ...(nextToken ? { nextToken } : {}) });
      for (const { id, createdAt, userId, type, payload } of page.messages) {
        const text = textOf(type, payload);
        messages.push({ id, at: createdAt, author: people.nameOf(userId), kind: 'message', text, payload });
      }
      nextToken = page.meta.nextToken;
    } while (nextToken && messages.length < MAX_MESSAGES);
    const oldest = nextToken ? (messages.at(-1)?.at ?? '') : '';
    const notes = hasNotes ? await readNotes() : [];
    const entries = [...messages, ...notes.filter(({ at }) => at >= oldest)];
    return { entries: entries.sort((a, b) => a.at.localeCompare(b.at)), isCut: nextToken !== undefined };
  };

  async function readNotes(): Promise<TranscriptEntry[]> {
    const notes: TranscriptEntry[] = [];
    let nextToken: string | undefined;
    do {
      const page = await parley.listNotes(conversationId, nextToken);
      for (const { id, createdAt, author, text } of page.notes) {
        notes.push({ id, at: createdAt, author: actorName(author), kind: 'note', text });
      }
      nextToken = page.meta.nextToken;
    } while (nextToken && notes.length < MAX_NOTES);
    return notes;
  }
}

const URLS = ['imageUrl', 'audioUrl', 'videoUrl', 'fileUrl'] as const;

/** A file has its address below its summary. */
function textOf(type: string, payload: Record<string, unknown>): string {
  if (type === 'text' && typeof payload.text === 'string') return payload.text;
  if (type === 'markdown' && typeof payload.markdown === 'string') return payload.markdown;
  const urls = URLS.flatMap(name => (typeof payload[name] === 'string' ? [payload[name]] : []));
  return [summaryOf(type, payload), ...urls].join('\n');
}
