import { Checkbox, Group, Progress, Stack, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import '@mantine/dropzone/styles.layer.css';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useBotClient } from '../../api/clients.ts';
import { explain } from '../../api/explain.ts';
import { putWithProgress } from '../../api/putWithProgress.ts';
import { IconUpload } from '../../icons/tabler.ts';
import { files } from '../../messages/en/files.ts';
import { translator } from '../../messages/translate.ts';

const t = translator('files', files);

interface Transfer {
  id: number;
  name: string;
  share: number;
  fault?: string;
  isDone?: boolean;
}

/** Limit of the API. */
const MAX_BYTES = 1024 ** 3;

export function Upload({ botId }: { botId: string }) {
  const client = useBotClient(botId);
  const queries = useQueryClient();
  const [isIndexed, setIndexed] = useState(true);
  const [transfers, setTransfers] = useState<Transfer[]>([]);
  const counter = useRef(0);
  const update = (id: number, change: Partial<Transfer>) =>
    setTransfers(before => before.map(each => (each.id === id ? { ...each, ...change } : each)));

  async function upload(file: File): Promise<void> {
    counter.current += 1;
    const id = counter.current;
    setTransfers(before => [...before.filter(each => !each.isDone).slice(-9), { id, name: file.name, share: 0 }]);
    try {
      const contentType = file.type || 'application/octet-stream';
      const { file: slot } = await client.upsertFile({
        key: file.name,
        size: file.size,
        index: isIndexed,
        contentType,
      });
      await putWithProgress(slot.uploadUrl, file, contentType, share => update(id, { share }));
      update(id, { share: 1, isDone: true });
    } catch (error) {
      update(id, { fault: explain(error).message });
    }
    await queries.invalidateQueries({ queryKey: ['files', botId] });
  }

  async function uploadAll(files: File[]): Promise<void> {
    for (const file of files) await upload(file);
  }

  return (
    <Stack gap="xs">
      <Dropzone
        onDrop={files => void uploadAll(files)}
        onReject={rejected =>
          void setTransfers(before => [...before, ...rejected.map(({ file }) => tooLarge(file, ++counter.current))])
        }
        maxSize={MAX_BYTES}
        useFsAccessApi={false}
        inputProps={{ 'aria-label': t('filesToUpload') }}
      >
        <Group justify="center" gap="sm" p="xs" style={{ pointerEvents: 'none' }}>
          <IconUpload size={20} stroke={1.5} aria-hidden />
          <div>
            <Text size="sm" fw={500}>
              {t('drop')}
            </Text>
            <Text size="xs" c="dimmed">
              {t('dropAbout')}
            </Text>
          </div>
        </Group>
      </Dropzone>
      <Checkbox
        size="xs"
        label={t('index')}
        checked={isIndexed}
        onChange={event => setIndexed(event.currentTarget.checked)}
      />
      {transfers.map(({ id, name, share, fault, isDone }) => (
        <Group key={id} gap="xs" role="status">
          <Text size="sm" miw={160}>
            {name}
          </Text>
          <Progress
            flex={1}
            miw={120}
            value={share * 100}
            size="sm"
            color={fault ? 'red' : 'brand'}
            aria-label={t('uploadOf', { name })}
          />
          <Text size="sm">
            {fault ?? (isDone ? t('upload_completed') : t('percent', { share: Math.round(share * 100) }))}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}

const tooLarge = ({ name }: File, id: number): Transfer => ({
  id,
  name,
  share: 0,
  fault: t('tooLarge'),
});
