import { Button, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlayerPause, IconPlayerPlay, IconTerminal2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useAdminClient } from '../api/clients.ts';
import { LIVE_MS } from '../api/live.ts';
import { FilterSelect, FilterText } from '../parts/Fields.tsx';
import { Page, Toolbar } from '../parts/Page.tsx';
import { When } from '../parts/Small.tsx';
import { Empty, Failure, Loading } from '../parts/States.tsx';
import { useBotId } from '../shell/useRoute.ts';
import classes from './Logs.module.css';

const SPANS = [
  { value: '900000', label: 'Last 15 minutes' },
  { value: '3600000', label: 'Last hour' },
  { value: '86400000', label: 'Last day' },
  { value: '604800000', label: 'Last 7 days' },
];
const LEVELS = [
  { value: '', label: 'All levels' },
  ...['debug', 'info', 'warn', 'error'].map(value => ({ value, label: value })),
];
/** Maximum number of lines in the page. A shorter time range or a filter shows others. */
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when lines arrive
  useEffect(() => {
    if (isFollowing) viewport.current?.scrollTo({ top: viewport.current.scrollHeight });
  }, [lines.length, isFollowing]);
  const PauseIcon = isFollowing ? IconPlayerPause : IconPlayerPlay;
  return (
    <Page
      title="Logs"
      about="Output of the bot's code, and entries of the platform about it."
      actions={
        <Button
          variant="default"
          leftSection={<PauseIcon size={14} aria-hidden />}
          onClick={() => setFollowing(!isFollowing)}
        >
          {isFollowing ? 'Pause' : 'Follow'}
        </Button>
      }
    >
      <Toolbar>
        <FilterText label="Search" placeholder="Search messages" value={text} onChange={setText} width={260} />
        <FilterSelect label="Level" options={LEVELS} value={level} onChange={setLevel} />
        <FilterSelect label="Time range" options={SPANS} value={span} onChange={setSpan} />
      </Toolbar>
      {query.error && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && !query.error && <Loading />}
      {query.data && lines.length === 0 && (
        <Empty Icon={IconTerminal2} title="No log entries">
          No entries match in this time range.
        </Empty>
      )}
      {query.data?.isCut && (
        <Text size="sm">{`The first ${MOST} entries of the range. Choose a shorter range to see later ones.`}</Text>
      )}
      {lines.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <div className={classes.log} ref={viewport} tabIndex={0} role="log" aria-label="Log">
          {lines.map((line, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no ids
            <div key={`${line.timestamp} ${i}`} className={classes.line} data-level={line.level}>
              <span className={classes.time}>
                <When at={line.timestamp} isExact />
              </span>
              <span className={classes.level}>{line.level}</span>
              <span className={classes.message}>{line.message}</span>
            </div>
          ))}
        </div>
      )}
    </Page>
  );
}
