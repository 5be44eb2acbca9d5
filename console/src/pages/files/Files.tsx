import type { Client } from '@botpress/client';
import { Group, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useBotClient } from '../../api/clients.ts';
import { LIVE_MS } from '../../api/live/pollingTimes.ts';
import { useAction } from '../../api/useAction.ts';
import { pageOf, useList } from '../../api/useList.ts';
import { IconFile, IconListSearch, IconTrash } from '../../icons/tabler.ts';
import { files } from '../../messages/en/files.ts';
import { translator } from '../../messages/translate.ts';
import { useBotId } from '../../navigation/useRoute.ts';
import { IconAction } from '../../parts/Copyable.tsx';
import { SafeLink } from '../../parts/Media.tsx';
import { Page } from '../../parts/Page.tsx';
import { ACTIONS, Confirm, Detail, formatBytes, RowActions, Rows, Status, Tags, When } from '../../parts/Small.tsx';
import { Empty, LoadedList } from '../../parts/States.tsx';
import { Passages } from './Passages.tsx';
import { Search } from './Search.tsx';
import { Upload } from './Upload.tsx';

const t = translator('files', files);

type File = Awaited<ReturnType<Client['listFiles']>>['files'][number];

const KINDS = {
  upload_pending: 'busy',
  upload_failed: 'bad',
  upload_completed: 'good',
  indexing_pending: 'busy',
  indexing_failed: 'bad',
  indexing_completed: 'good',
} as const;

export function Files() {
  const botId = useBotId();
  const client = useBotClient(botId);
  const [open, setOpen] = useState<File>();
  const list = useList(
    ['files', botId],
    async nextToken => {
      const answer = await client.listFiles({
        ...(nextToken ? { nextToken } : {}),
        sortField: 'updatedAt',
        sortDirection: 'desc',
      });
      return pageOf(answer.files, answer);
    },
    { everyMs: LIVE_MS },
  );
  return (
    <Page title={t('files')} about={t('about')}>
      <Upload botId={botId} />
      <Search botId={botId} />
      <LoadedList
        list={list}
        empty={
          <Empty Icon={IconFile} title={t('none')}>
            {t('noneAbout')}
          </Empty>
        }
      >
        {files => (
          <Rows label={t('files')} heads={[t('name'), t('status'), t('size'), t('changed'), t('tags'), ACTIONS]}>
            {files.map(file => (
              <FileRow key={file.id} botId={botId} file={file} onOpen={() => setOpen(file)} />
            ))}
          </Rows>
        )}
      </LoadedList>
      <Detail of={open} title={open?.key} onClose={() => setOpen(undefined)}>
        {open => <Passages botId={botId} fileId={open.id} />}
      </Detail>
    </Page>
  );
}

function FileRow({ botId, file, onOpen }: { botId: string; file: File; onOpen: () => void }) {
  const client = useBotClient(botId);
  const remove = useAction(() => client.deleteFile({ id: file.id }), {
    done: t('deleted'),
    changes: [['files', botId]],
  });
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="sm" wrap="nowrap">
          <IconFile size={18} stroke={1.5} color="var(--mantine-color-dimmed)" style={{ flex: 'none' }} aria-hidden />
          <div>
            <SafeLink href={file.url}>{file.key}</SafeLink>
            <Text size="xs" c="dimmed">
              {file.contentType}
            </Text>
          </div>
        </Group>
      </Table.Td>
      <Table.Td>
        <Status kind={KINDS[file.status]}>{t(file.status)}</Status>
        {file.failedStatusReason && (
          <Text size="sm" maw={320} style={{ overflowWrap: 'anywhere' }}>
            {file.failedStatusReason}
          </Text>
        )}
      </Table.Td>
      <Table.Td className="number">{formatBytes(file.size)}</Table.Td>
      <Table.Td>
        <When at={file.updatedAt} />
      </Table.Td>
      <Table.Td>
        <Tags tags={file.tags} />
      </Table.Td>
      <RowActions>
        {file.status === 'indexing_completed' && (
          <IconAction label={t('passages')} Icon={IconListSearch} onClick={onOpen} />
        )}
        <Confirm
          label={t('delete')}
          title={t('deleteTitle', { name: file.key })}
          Icon={IconTrash}
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate(undefined)}
        >
          {t('deleteAbout')}
        </Confirm>
      </RowActions>
    </Table.Tr>
  );
}
