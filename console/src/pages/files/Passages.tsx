import { Paper, Stack, Text } from '@mantine/core';
import { useBotClient } from '../../api/clients.ts';
import { pageOf, useList } from '../../api/useList.ts';
import { files } from '../../messages/en/files.ts';
import { translator } from '../../messages/translate.ts';
import { LoadedList } from '../../parts/States.tsx';

const t = translator('files', files);

export function Passages({ botId, fileId }: { botId: string; fileId: string }) {
  const client = useBotClient(botId);
  const list = useList(['passages', botId, fileId], async nextToken => {
    const answer = await client.listFilePassages({ id: fileId, ...(nextToken ? { nextToken } : {}) });
    return pageOf(answer.passages, answer);
  });
  return (
    <LoadedList list={list} empty={t('noText')}>
      {passages => (
        <Stack gap="xs">
          {passages.map(({ id, content, meta }) => (
            <Paper key={id} withBorder p="xs">
              <Text size="xs" c="dimmed">
                {[meta.subtype, meta.pageNumber && t('page', { page: meta.pageNumber })].filter(Boolean).join(', ')}
              </Text>
              <Text size="sm" dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {content}
              </Text>
            </Paper>
          ))}
        </Stack>
      )}
    </LoadedList>
  );
}
