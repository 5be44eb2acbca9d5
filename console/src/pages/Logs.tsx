import { Badge, Button, Group, NativeSelect, Paper, ScrollArea, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useAdminClient } from '../api/clients.ts';
import { Page } from '../parts/Page.tsx';
import { When } from '../parts/Small.tsx';
import { Empty, Failure, Loading } from '../parts/States.tsx';
import { useBotId } from '../shell/useRoute.ts';
import { LIVE_MS } from './Conversations.tsx';

const SPANS = [
  { value: '900000', label: 'The last quarter of an hour' },
  { value: '3600000', label: 'The last hour' },
  { value: '86400000', label: 'The last day' },
  { value: '604800000', label: 'The last week' },
];
const LEVELS = ['', 'debug', 'info', 'warn', 'error'].map(value => ({ value, label: value || 'all' }));
/** The most lines that the page holds; older ones are found by a shorter time or a filter. */
const MOST = 1_000;

export function Logs() {
  const botId = useBotId();
  const client = useAdminClient();
  const [span, setSpan] = useState('3600000');
  const [level, setLevel] = useState('');
  const [text, setText] = useState('');
  const [isFollowing, setFollowing] = useState(true);
  const [wanted] = useDebouncedValue(text, 300);
  const viewport = useRef<HTMLDivElement>(null);
  const query = useQuery({
    queryKey: ['logs', botId, span, level, wanted],
    queryFn: async () => {
      const timeStart = new Date(Date.now() - Number(span)).toISOString();
      const filters = { ...(level ? { level } : {}), ...(wanted ? { messageContains: wanted } : {}) };
      const lines = [];
      let nextToken: string | undefined;
      do {
        const answer = await client.getBotLogs({
          id: botId,
          timeStart,
          ...filters,
          ...(nextToken ? { nextToken } : {}),
        });
        lines.push(...answer.logs);
        nextToken = answer.nextToken;
      } while (nextToken && lines.length < MOST);
      return { lines: lines.slice(0, MOST), isCut: nextToken !== undefined };
    },
    refetchInterval: isFollowing ? LIVE_MS : false,
    placeholderData: before => before,
  });
  const lines = query.data?.lines ?? [];
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows when lines come
  useEffect(() => {
    if (isFollowing) viewport.current?.scrollTo({ top: viewport.current.scrollHeight });
  }, [lines.length, isFollowing]);
  return (
    <Page
      title="Logs"
      about="What the code of the bot wrote, and what the platform notes of it."
      actions={
        <Button variant="default" aria-pressed={isFollowing} onClick={() => setFollowing(!isFollowing)}>
          {isFollowing ? 'Stop following' : 'Follow'}
        </Button>
      }
    >
      <Group align="flex-end">
        <NativeSelect label="When" data={SPANS} value={span} onChange={event => setSpan(event.currentTarget.value)} />
        <NativeSelect
          label="Level"
          data={LEVELS}
          value={level}
          onChange={event => setLevel(event.currentTarget.value)}
        />
        <TextInput
          label="Contains"
          value={text}
          onChange={event => setText(event.currentTarget.value)}
          maxLength={500}
        />
      </Group>
      {query.error && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && !query.error && <Loading />}
      {query.data && lines.length === 0 && <Empty>Nothing was written in this time.</Empty>}
      {query.data?.isCut && (
        <Text size="sm">These are the first {MOST} lines. Choose a shorter time to see the latest.</Text>
      )}
      {lines.length > 0 && (
        <Paper withBorder p="xs">
          <ScrollArea h="60vh" viewportRef={viewport} viewportProps={{ tabIndex: 0, role: 'log', 'aria-label': 'Log' }}>
            {lines.map((line, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no ids
              <Group key={`${line.timestamp} ${i}`} gap="xs" wrap="nowrap" align="flex-start">
                <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
                  <When at={line.timestamp} />
                </Text>
                <Badge size="xs" variant="default" tt="none" style={{ flex: 'none' }}>
                  {line.level}
                </Badge>
                <Text size="sm" ff="monospace" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                  {line.message}
                </Text>
              </Group>
            ))}
          </ScrollArea>
        </Paper>
      )}
    </Page>
  );
}
