import { Button, CloseButton, Group, Highlight, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { useBotClient } from '../../api/clients.ts';
import { IconSearch } from '../../icons/tabler.ts';
import { files } from '../../messages/en/files.ts';
import { translator } from '../../messages/translate.ts';
import { textOf } from '../../navigation/addressQuery.ts';
import { useAddress } from '../../navigation/useAddress.ts';
import { Empty, Loaded } from '../../parts/States.tsx';

const t = translator('files', files);

export function Search({ botId }: { botId: string }) {
  const client = useBotClient(botId);
  const { query: address, change } = useAddress();
  const wanted = textOf(address, 'search');
  const [text, setText] = useState(wanted);
  useEffect(() => setText(wanted), [wanted]);
  const query = useQuery({
    queryKey: ['search', botId, wanted],
    queryFn: async () => (await client.searchFiles({ query: wanted })).passages,
    enabled: wanted !== '',
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change({ search: text.trim() });
  };
  const clear = () => {
    setText('');
    change({ search: '' });
  };
  return (
    <Stack>
      <form onSubmit={submit}>
        <Group gap="xs" wrap="nowrap">
          <TextInput
            flex={1}
            maw={520}
            aria-label={t('searchFiles')}
            placeholder={t('searchPlaceholder')}
            leftSection={<IconSearch size={14} aria-hidden />}
            rightSection={wanted !== '' && <CloseButton size="sm" aria-label={t('clear')} onClick={clear} />}
            value={text}
            onChange={event => setText(event.currentTarget.value)}
            maxLength={1_000}
          />
          <Button type="submit" variant="default" loading={wanted !== '' && query.isFetching}>
            {t('search')}
          </Button>
        </Group>
      </form>
      {wanted !== '' && (
        <Loaded query={query}>
          {passages => (
            <Stack gap="xs" role="region" aria-label={t('results')}>
              {passages.length === 0 && (
                <Empty Icon={IconSearch} title={t('noResults')}>
                  {t('noResultsAbout')}
                </Empty>
              )}
              {passages.map(({ content, score, file, meta }, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: passages of an answer have no ids
                <Paper key={i} withBorder p="sm">
                  <Group justify="space-between" gap="xs">
                    <Text size="sm" fw={600}>
                      <bdi>{file.key}</bdi>
                      {meta.pageNumber ? `, ${t('page', { page: meta.pageNumber })}` : ''}
                    </Text>
                    <Text size="sm" c="dimmed">
                      {t('score', { score: score.toFixed(3) })}
                    </Text>
                  </Group>
                  <Highlight
                    size="sm"
                    dir="auto"
                    highlight={wordsOf(wanted)}
                    style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
                  >
                    {content}
                  </Highlight>
                </Paper>
              ))}
            </Stack>
          )}
        </Loaded>
      )}
    </Stack>
  );
}

/** Short words would mark half of every passage. */
const wordsOf = (text: string) => text.split(/[^\p{L}\p{N}]+/u).filter(word => word.length > 2);
