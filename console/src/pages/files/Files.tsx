import type { Client } from '@botpress/client';
import { Group, Stack, Table, Text } from '@mantine/core';
import { useBotClient } from '../../api/clients.ts';
import { LIVE_MS } from '../../api/live/pollingTimes.ts';
import { useAction } from '../../api/useAction.ts';
import { pageOf, useList } from '../../api/useList.ts';
import { IconAlertCircle, IconFile, IconListSearch, IconTrash } from '../../icons/tabler.ts';
import { files } from '../../messages/en/files.ts';
import { translator } from '../../messages/translate.ts';
import { useAddressChoice, useAddressText } from '../../navigation/useAddress.ts';
import { useOpenRow } from '../../navigation/useOpenRow.ts';
import { useBotId } from '../../navigation/useRoute.ts';
import { IconAction } from '../../parts/Copyable.tsx';
import { FilterSelect, FilterText } from '../../parts/Fields.tsx';
import { RowDetail } from '../../parts/FormDialog.tsx';
import { SafeLink } from '../../parts/Media.tsx';
import { Page, Toolbar } from '../../parts/Page.tsx';
import { ACTIONS, Confirm, formatBytes, RowActions, Rows, Status, Tags, When } from '../../parts/Small.tsx';
import { Empty, LoadedList } from '../../parts/States.tsx';
import { Passages } from './Passages.tsx';
import { Search } from './Search.tsx';
import { Upload } from './Upload.tsx';

const t = translator('files', files);

/** Adds Parley's `indexingWarnings`, which the client's type lacks. */
type File = Awaited<ReturnType<Client['listFiles']>>['files'][number] & { indexingWarnings?: string[] };

const KINDS = {
  upload_pending: 'busy',
  upload_failed: 'bad',
  upload_completed: 'good',
  indexing_pending: 'busy',
  indexing_failed: 'bad',
  indexing_completed: 'good',
} as const;

type ListInput = Parameters<Client['listFiles']>[0];

const FOLDERS = ['own', 'transfers', 'all'] as const;

/** Keys of the files that exports of tables write, and of those that the console imports. */
const EXPORTS = 'tables/';
const isTransfer = ({ key }: File) => /^tables\/[^/]+\/[^/]+$|^imports\/[^/]+\/[^/]+$/.test(key);

export function Files() {
  const botId = useBotId();
  const client = useBotClient(botId);
  const { text: name, setText: setName, wanted } = useAddressText('name');
  const [folder, setFolder] = useAddressChoice('folder', FOLDERS);
  const list = useList(
    ['files', botId, folder, wanted],
    async nextToken => {
      const prefix = wanted || (folder === 'transfers' ? EXPORTS : '');
      const order = prefix ? { keyPrefix: prefix } : { sortField: 'updatedAt', sortDirection: 'desc' };
      // The client passes the prefix on, though its type lacks it.
      const answer = await client.listFiles({ ...order, ...(nextToken ? { nextToken } : {}) } as ListInput);
      const isShown = (file: File) => folder === 'all' || isTransfer(file) === (folder === 'transfers');
      return pageOf(answer.files.filter(isShown), answer);
    },
    { everyMs: LIVE_MS },
  );
  const row = useOpenRow<File>({
    key: ['files', botId],
    rows: list.items,
    idOf: ({ id }) => id,
    read: async id => (await client.getFile({ id })).file,
  });
  const heads = [t('name'), t('status'), t('size'), t('changed'), t('tags'), ACTIONS];
  return (
    <Page title={t('files')} about={t('about')}>
      <Upload botId={botId} />
      <Search botId={botId} />
      <Toolbar>
        <FilterText label={t('findByName')} placeholder={t('namePrefix')} value={name} onChange={setName} />
        <FilterSelect
          label={t('folder')}
          options={FOLDERS.map(value => ({ value, label: t(`folder_${value}`) }))}
          value={folder}
          onChange={setFolder}
        />
      </Toolbar>
      <LoadedList
        list={list}
        heads={heads}
        empty={
          wanted || folder !== 'own' ? (
            <Empty Icon={IconFile} title={t('noMatch')}>
              {t('noMatchAbout')}
            </Empty>
          ) : (
            <Empty Icon={IconFile} title={t('none')}>
              {t('noneAbout')}
            </Empty>
          )
        }
      >
        {files => (
          <Rows label={t('files')} heads={heads}>
            {files.map(file => (
              <FileRow key={file.id} botId={botId} file={file} onOpen={() => row.open(file)} />
            ))}
          </Rows>
        )}
      </LoadedList>
      <RowDetail row={row} title={({ key }) => key}>
        {({ id }) => <Passages botId={botId} fileId={id} />}
      </RowDetail>
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
        {file.status === 'indexing_completed' && file.indexingWarnings && (
          <Group gap={6} mt={4} miw={220} maw={320} wrap="nowrap" align="flex-start">
            <IconAlertCircle
              size={16}
              color="var(--mantine-color-yellow-text)"
              style={{ flex: 'none', marginTop: 2 }}
              aria-label={t('incomplete')}
            />
            <Stack gap={2}>
              {file.indexingWarnings.map(text => (
                <Text key={text} size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {text}
                </Text>
              ))}
            </Stack>
          </Group>
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
