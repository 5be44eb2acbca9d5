import { MultiSelect } from '@mantine/core';
import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import { useBotNames } from '../../api/useBot.ts';
import { workspace } from '../../messages/en/workspace.ts';
import { translator } from '../../messages/translate.ts';

const t = translator('workspace', workspace);

/** Bots to which one agent may be limited. */
const MOST_LIMIT = 20;
interface BotsFieldProps {
  /** Empty for all bots. */
  value: string[];
  onChange: (botIds: string[]) => void;
}

/** Chooses the bots to which an agent is limited. */
export function BotsField({ value, onChange }: BotsFieldProps) {
  const names = useBotNames();
  const deleted = value.filter(id => !names.has(id));
  return (
    <MultiSelect
      label={t('botsOfAgent')}
      description={t('botsOfAgentAbout')}
      placeholder={value.length === 0 ? t('allBots') : ''}
      data={[...names, ...deleted.map(id => [id, id] as const)].map(([id, name]) => ({ value: id, label: name }))}
      value={value}
      onChange={onChange}
      maxValues={MOST_LIMIT}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('allBots') }}
      nothingFoundMessage={t('noMatch')}
    />
  );
}
