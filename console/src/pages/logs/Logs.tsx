import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useBot } from '../../api/useBot.ts';
import { IconPlayerPause, IconPlayerPlay, IconTerminal2 } from '../../icons/tabler.ts';
import { activity } from '../../messages/en/activity.ts';
import { translator } from '../../messages/translate.ts';
import { textOf } from '../../navigation/addressQuery.ts';
import { useAddress, useAddressChoice, useAddressText } from '../../navigation/useAddress.ts';
import { useBotId } from '../../navigation/useRoute.ts';
import { FilterSelect, FilterText } from '../../parts/Fields.tsx';
import { Page, Toolbar } from '../../parts/Page.tsx';
import { Empty, Failure, Loading } from '../../parts/States.tsx';
import { offerOf, useOffers } from '../integrations/hubOffers.ts';
import { LogLines } from './LogLines.tsx';
import { MAX_LINES, useLog } from './useLog.ts';

const t = translator('activity', activity);

const SPANS_MS = { '1h': 3_600_000, '15m': 900_000, '1d': 86_400_000, '7d': 604_800_000 } as const;
type Span = keyof typeof SPANS_MS;
const SPANS = Object.keys(SPANS_MS) as Span[];
const spans = (): { value: Span; label: string }[] => [
  { value: '15m', label: t('lastMinutes') },
  { value: '1h', label: t('lastHour') },
  { value: '1d', label: t('lastDay') },
  { value: '7d', label: t('lastDays', { count: 7 }) },
];
const LEVELS = ['', 'debug', 'info', 'warn', 'error'] as const;
const levels = () => LEVELS.map(value => ({ value, label: value || t('allLevels') }));

export function Logs() {
  const botId = useBotId();
  const [span, setSpan] = useAddressChoice('span', SPANS);
  const [level, setLevel] = useAddressChoice('level', LEVELS);
  const { text, setText, wanted } = useAddressText('text');
  const [isFollowing, setFollowing] = useState(true);
  const { source, sources, choose } = useSource(botId);
  const query = useLog(botId, {
    integrationId: source || undefined,
    range: span,
    startMs: () => Date.now() - SPANS_MS[span],
    filters: { ...(level ? { level } : {}), ...(wanted ? { messageContains: wanted } : {}) },
    isFollowing,
  });
  const lines = query.data?.lines ?? [];
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
        {sources.length > 1 && (
          <FilterSelect label={t('logSource')} options={sources} value={source} onChange={choose} />
        )}
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
      {lines.length > 0 && <LogLines lines={lines} isFollowing={isFollowing} />}
    </Page>
  );
}

/** Source of the log, kept in the URL: the bot, or an integration of the workspace. */
function useSource(botId: string) {
  const { query, change } = useAddress();
  const { data: bot } = useBot(botId);
  const { data: offers } = useOffers();
  const source = textOf(query, 'integration');
  const ids = new Set([...Object.values(bot?.integrations ?? {}).map(({ id }) => id), ...(source ? [source] : [])]);
  const own = [...ids].flatMap(id => {
    const offer = offerOf(offers, id);
    const version = offer?.versions.find(each => each.id === id)?.version ?? '';
    return offer?.isOwn ? [{ value: id, label: t('logOfIntegration', { name: `${offer.title} ${version}` }) }] : [];
  });
  return {
    source,
    sources: [{ value: '', label: t('logOfBot') }, ...own],
    choose: (id: string) => change({ integration: id }),
  };
}
