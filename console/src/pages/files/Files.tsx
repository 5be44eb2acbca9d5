import type { Client } from '@botpress/client';
import { Button, Group, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useBotClient } from '../../api/clients.ts';
import { useAction } from '../../api/useAction.ts';
import { pageOf, useList } from '../../api/useList.ts';
import { Page } from '../../parts/Page.tsx';
import { SafeLink } from '../../parts/Payload.tsx';
import { Confirm, Detail, formatBytes, Rows, Status, Tags, When } from '../../parts/Small.tsx';
import { LoadedList } from '../../parts/States.tsx';
import { useBotId } from '../../shell/useRoute.ts';
import { LIVE_MS } from '../Conversations.tsx';
import { Passages } from './Passages.tsx';
import { Search } from './Search.tsx';
import { Upload } from './Upload.tsx';

type File = Awaited<ReturnType<Client['listFiles']>>['files'][number];

const STATUS = {
  upload_pending: { kind: 'busy', label: 'Waits for its upload' },
  upload_failed: { kind: 'bad', label: 'The upload failed' },
  upload_completed: { kind: 'good', label: 'Uploaded' },
  indexing_pending: { kind: 'busy', label: 'Being read for search' },
  indexing_failed: { kind: 'bad', label: 'Could not be read for search' },
  indexing_completed: { kind: 'good', label: 'Can be searched' },
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
    <Page
      title="Files"
      about="What the bot knows and serves. Files that are read for search can be found by what they say."
    >
      <Upload botId={botId} />
      <Search botId={botId} />
      <LoadedList list={list} empty="There is no file yet. Drop one above.">
        {files => (
          <Rows label="Files" heads={['Name', 'Size', 'State', 'Changed', 'Tags', 'What to do']}>
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
    done: 'The file is deleted.',
    changes: [['files', botId]],
  });
  const { kind, label } = STATUS[file.status];
  return (
    <Table.Tr>
      <Table.Td>
        <SafeLink href={file.url}>{file.key}</SafeLink>
        <Text size="xs" c="dimmed">
          {file.contentType}
        </Text>
      </Table.Td>
      <Table.Td>{formatBytes(file.size)}</Table.Td>
      <Table.Td>
        <Status kind={kind}>{label}</Status>
        {file.failedStatusReason && (
          <Text size="sm" maw={320} style={{ overflowWrap: 'anywhere' }}>
            {file.failedStatusReason}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <When at={file.updatedAt} />
      </Table.Td>
      <Table.Td>
        <Tags tags={file.tags} />
      </Table.Td>
      <Table.Td>
        <Group gap="xs" wrap="nowrap">
          {file.status === 'indexing_completed' && (
            <Button size="xs" variant="default" onClick={onOpen}>
              What was read
            </Button>
          )}
          <Confirm
            label="Delete"
            title={`Delete ${file.key}?`}
            isBusy={remove.isPending}
            onConfirm={() => remove.mutate(undefined)}
          >
            Its contents and what was read from it are deleted. This cannot be undone.
          </Confirm>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
