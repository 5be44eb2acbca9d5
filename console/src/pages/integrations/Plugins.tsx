/** Plugins of a bot. `bp deploy` adds and configures them. */
import { Text } from '@mantine/core';
import type { Bot } from '../../api/useBot.ts';
import { integrations } from '../../messages/en/integrations.ts';
import { translator } from '../../messages/translate.ts';
import { Monogram } from '../../parts/Monogram.tsx';
import { SectionHeading } from '../../parts/Section.tsx';
import classes from './Integrations.module.css';
import { LogLink } from './LogLink.tsx';

const t = translator('integrations', integrations);

export function Plugins({ bot }: { bot: Bot }) {
  const plugins = Object.entries(bot.plugins);
  if (plugins.length === 0) return null;
  return (
    <section aria-label={t('plugins')}>
      <SectionHeading title={t('plugins')} about={t('pluginsAbout')} order={2} />
      <ul className={classes.list}>
        {plugins.map(([alias, { name, version, title }]) => (
          <li key={alias} className={classes.item}>
            <Monogram name={title || name} id={name} size={32} isSquare />
            <div className={classes.text}>
              <Text size="sm">{title || name}</Text>
              <Text size="xs" c="dimmed">
                <bdi>{alias}</bdi> · <bdi>{version}</bdi>
              </Text>
            </div>
            <LogLink botId={bot.id} />
          </li>
        ))}
      </ul>
    </section>
  );
}
