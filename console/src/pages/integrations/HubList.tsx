/** Integrations that the bot may install, with a search. */
import { Group, Text, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { Bot } from '../../api/useBot.ts';
import { IconPlugConnected } from '../../icons/tabler.ts';
import { integrations } from '../../messages/en/integrations.ts';
import { translator } from '../../messages/translate.ts';
import { FilterText } from '../../parts/Fields.tsx';
import { Monogram } from '../../parts/Monogram.tsx';
import { Toolbar } from '../../parts/Page.tsx';
import { RowButton, Status } from '../../parts/Small.tsx';
import { Empty, Loaded } from '../../parts/States.tsx';
import { matchesOffer, type Offer } from './hubOffers.ts';
import classes from './Integrations.module.css';

const t = translator('integrations', integrations);

interface HubListProps {
  bot: Bot;
  query: UseQueryResult<Offer[], Error>;
  onOpen: (integrationId: string) => void;
}

export function HubList({ bot, query, onOpen }: HubListProps) {
  const [text, setText] = useState('');
  const installed = new Set(Object.values(bot.integrations).map(({ id }) => id));
  return (
    <section aria-labelledby="hub">
      <Group justify="space-between" align="flex-end" mb="sm">
        <div>
          <Title order={2} size="h4" id="hub">
            {t('hub')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('hubAbout')}
          </Text>
        </div>
        <Toolbar>
          <FilterText label={t('search')} value={text} onChange={setText} width={260} />
        </Toolbar>
      </Group>
      <Loaded query={query}>
        {offers => {
          const found = offers.filter(offer => matchesOffer(offer, text.trim()));
          if (offers.length === 0)
            return (
              <Empty Icon={IconPlugConnected} title={t('hubEmpty')}>
                {t('hubEmptyAbout')}
              </Empty>
            );
          return (
            <>
              <Text size="xs" c="dimmed" mb="xs" role="status">
                {t('found', { count: found.length })}
              </Text>
              {found.length === 0 && <Empty title={t('noMatch')}>{t('noMatchAbout')}</Empty>}
              <ul className={classes.cards}>
                {found.map(offer => (
                  <Card
                    key={offer.key}
                    offer={offer}
                    isInstalled={offer.versions.some(({ id }) => installed.has(id))}
                    onOpen={() => onOpen(offer.versions[0]!.id)}
                  />
                ))}
              </ul>
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

function Card({ offer, isInstalled, onOpen }: { offer: Offer; isInstalled: boolean; onOpen: () => void }) {
  const { name, title, description, isOwn, owner, versions } = offer;
  return (
    <li className={classes.card}>
      <Group gap="sm" wrap="nowrap">
        <Monogram name={title} id={name} size={32} isSquare />
        <div className={classes.text}>
          <RowButton onClick={onOpen}>{title}</RowButton>
          <Text size="xs" c="dimmed" truncate>
            <bdi>{name}</bdi> · <bdi>{versions[0]!.version}</bdi>
          </Text>
        </div>
      </Group>
      <Text size="sm" c="dimmed" lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
        {description}
      </Text>
      <div className={classes.foot}>
        <Text size="xs" c="dimmed" truncate>
          {isOwn ? t('own') : owner && t('by', { owner })}
        </Text>
        {isInstalled && <Status kind="good">{t('isInstalled')}</Status>}
      </div>
    </li>
  );
}
