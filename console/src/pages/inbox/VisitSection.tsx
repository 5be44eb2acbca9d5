/** Shows the page, device and language of the customer in the side panel. */
import { Anchor, Text } from '@mantine/core';
import type { Presence } from '../../api/contract.ts';
import { presence } from '../../messages/en/presence.ts';
import { translator } from '../../messages/translate.ts';
import { Fact, Facts, When } from '../../parts/Small.tsx';
import { Section } from '../conversations/Details.tsx';
import classes from './Presence.module.css';
import { usePresence } from './usePresence.ts';
import { languageName, localTime, shortUrl, webUrl } from './visitTexts.ts';

const t = translator('presence', presence);

type Visit = NonNullable<Presence['visitor']['visit']>;
type Page = Visit['page'];

export function VisitSection({ botId, id }: { botId: string; id: string }) {
  const visit = usePresence(botId, id)?.visitor.visit;
  if (!visit) return null;
  const { page, earlierPages, referrer, language, timeZone, browser, os, device } = visit;
  const time = timeZone && localTime(timeZone);
  const client = [browser, os, device && t(`device_${device}`)].filter(Boolean);
  return (
    <Section title={t('visit')}>
      <Facts>
        <Fact name={t('page')}>
          <PageLink page={page} />
        </Fact>
        {referrer && (
          <Fact name={t('referrer')}>
            <PageLink page={{ url: referrer }} />
          </Fact>
        )}
        {time && (
          <Fact name={t('localTime')}>
            <bdi>{time}</bdi>
          </Fact>
        )}
        {language && (
          <Fact name={t('language')}>
            <bdi>{languageName(language)}</bdi>
          </Fact>
        )}
        {client.length > 0 && (
          <Fact name={t('device')}>
            <bdi>{client.join(' · ')}</bdi>
          </Fact>
        )}
      </Facts>
      {earlierPages.length > 0 && (
        <>
          <Text size="xs" c="dimmed" mt={6}>
            {t('earlierPages')}
          </Text>
          <ul className={classes.pages}>
            {earlierPages.map(each => (
              <li key={each.at}>
                <PageLink page={each} />
                <When at={each.at} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

/** Pages are reported by the browser of the customer, so other schemes are not linked. */
function PageLink({ page: { url, title } }: { page: Pick<Page, 'url' | 'title'> }) {
  const href = webUrl(url);
  const text = <bdi>{title || shortUrl(url)}</bdi>;
  if (href === undefined) return text;
  return (
    <Anchor href={href} target="_blank" rel="noopener noreferrer" inherit title={href}>
      {text}
    </Anchor>
  );
}
