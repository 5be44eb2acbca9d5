import { Button, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlayerPause, IconPlayerPlay, IconTerminal2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useAdminClient } from '../api/clients.ts';
import { LIVE_MS } from '../api/live.ts';
import { activity } from '../messages/en/activity.ts';
import { translator } from '../messages/translate.ts';
import { useBotId } from '../navigation/useRoute.ts';
import { FilterSelect, FilterText } from '../parts/Fields.tsx';
import { Page, Toolbar } from '../parts/Page.tsx';
import { When } from '../parts/Small.tsx';
import { Empty, Failure, Loading } from '../parts/States.tsx';
import classes from './Logs.module.css';

const t = translator('activity', activity);

const spans = () => [
  { value: '900000', label: t('lastMinutes') },
  { value: '3600000', label: t('lastHour') },
  { value: '86400000', label: t('lastDay') },
  { value: '604800000', label: t('lastDays', { count: 7 }) },
];
const levels = () => [
  { value: '', label: t('allLevels') },
  ...['debug', 'info', 'warn', 'error'].map(value => ({ value, label: value })),
];
/** Maximum number of lines in the page. A shorter time range or a filter shows others. */
const MAX_LINES = 1_000;

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
      } while (nextToken && lines.length < MAX_LINES);
      return { lines: lines.slice(0, MAX_LINES), isCut: nextToken !== undefined };
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
      title={t('logs')}
      about={t('logsAbout')}
      actions={
        <Button
          variant="default"
          leftSection={<PauseIcon size={14} aria-hidden />}
          onClick={() => setFollowing(!isFollowing)}
        >
          {t(isFollowing ? 'pause' : 'follow')}
        </Button>
      }
    >
      <Toolbar>
        <FilterText label={t('search')} placeholder={t('searchMessages')} value={text} onChange={setText} width={260} />
        <FilterSelect label={t('level')} options={levels()} value={level} onChange={setLevel} />
        <FilterSelect label={t('timeRange')} options={spans()} value={span} onChange={setSpan} />
      </Toolbar>
      {query.error && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && !query.error && <Loading />}
      {query.data && lines.length === 0 && (
        <Empty Icon={IconTerminal2} title={t('noLogs')}>
          {t('noLogsAbout')}
        </Empty>
      )}
      {query.data?.isCut && <Text size="sm">{t('cut', { count: MAX_LINES })}</Text>}
      {lines.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <div className={classes.log} ref={viewport} tabIndex={0} role="log" aria-label={t('log')}>
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
