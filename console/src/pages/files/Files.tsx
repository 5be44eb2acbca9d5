import type { Client } from '@botpress/client';
import { Group, Table, Text } from '@mantine/core';
import { IconFile, IconListSearch, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useBotClient } from '../../api/clients.ts';
import { LIVE_MS } from '../../api/live.ts';
import { useAction } from '../../api/useAction.ts';
import { pageOf, useList } from '../../api/useList.ts';
import { IconAction } from '../../parts/Copyable.tsx';
import { Page } from '../../parts/Page.tsx';
import { SafeLink } from '../../parts/Payload.tsx';
import { ACTIONS, Confirm, Detail, formatBytes, RowActions, Rows, Status, Tags, When } from '../../parts/Small.tsx';
import { Empty, LoadedList } from '../../parts/States.tsx';
import { useBotId } from '../../shell/useRoute.ts';
import { Passages } from './Passages.tsx';
import { Search } from './Search.tsx';
import { Upload } from './Upload.tsx';

type File = Awaited<ReturnType<Client['listFiles']>>['files'][number];

const STATUS = {
  upload_pending: { kind: 'busy', label: 'Waiting for upload' },
  upload_failed: { kind: 'bad', label: 'Upload failed' },
  upload_completed: { kind: 'good', label: 'Uploaded' },
  indexing_pending: { kind: 'busy', label: 'Indexing' },
  indexing_failed: { kind: 'bad', label: 'Indexing failed' },
  indexing_completed: { kind: 'good', label: 'Indexed' },
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
    <Page title="Files" about="Files that the bot serves. The contents of indexed files can be searched.">
      <Upload botId={botId} />
      <Search botId={botId} />
      <LoadedList
        list={list}
        empty={
          <Empty Icon={IconFile} title="No files yet">
            Drop a file above, or let the code of the bot upload one.
          </Empty>
        }
      >
        {files => (
          <Rows label="Files" heads={['Name', 'Status', 'Size', 'Changed', 'Tags', ACTIONS]}>
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
    done: 'The file was deleted.',
    changes: [['files', botId]],
  });
  const { kind, label } = STATUS[file.status];
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
        <Status kind={kind}>{label}</Status>
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
        {file.status === 'indexing_completed' && <IconAction label="Passages" Icon={IconListSearch} onClick={onOpen} />}
        <Confirm
          label="Delete"
          title={`Delete ${file.key}?`}
          Icon={IconTrash}
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate(undefined)}
        >
          Its contents and its passages are deleted. This cannot be undone.
        </Confirm>
      </RowActions>
    </Table.Tr>
  );
}
