import { MultiSelect } from '@mantine/core';
import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import { useQuery } from '@tanstack/react-query';
import { useAdminClient, useWorkspaceId } from '../../api/clients.ts';
import { workspace } from '../../messages/en/workspace.ts';
import { translator } from '../../messages/translate.ts';

const t = translator('workspace', workspace);

/** Bots to which one agent may be limited. */
const MOST_LIMIT = 20;
/** Bots that the field offers. */
const MOST_BOTS = 200;

export function useBotNames(isEnabled = true): ReadonlyMap<string, string> {
  const client = useAdminClient();
  const workspaceId = useWorkspaceId();
  const { data = NONE } = useQuery({
    queryKey: ['bots', workspaceId, 'names'],
    queryFn: async () => {
      const bots = await client.list.bots({}).collect({ limit: MOST_BOTS });
      return new Map(bots.map(({ id, name }) => [id, name || id]));
    },
    staleTime: 60_000,
    enabled: isEnabled,
  });
  return data;
}
const NONE: ReadonlyMap<string, string> = new Map();

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
