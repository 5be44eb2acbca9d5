/** Customers of all bots, by name or email. Each opens the latest conversation. */
import { useDebouncedValue } from '@mantine/hooks';
import type { SpotlightActionData, SpotlightActionGroupData } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isExact, useCustomerSearch } from '../../api/useCustomerSearch.ts';
import { shell } from '../../messages/en/shell.ts';
import { translator } from '../../messages/translate.ts';
import { useIsAgent } from '../../navigation/usePages.ts';
import { Person } from '../../parts/Person.tsx';
import { visibleName } from '../../parts/visibleName.ts';

const t = translator('shell', shell);

const DEBOUNCE_MS = 250;
const SHOWN = 5;

export function useCustomerGroup(query: string): SpotlightActionGroupData & { actions: SpotlightActionData[] } {
  const navigate = useNavigate();
  const isAgent = useIsAgent();
  const [text] = useDebouncedValue(query, DEBOUNCE_MS);
  const { items } = useCustomerSearch({
    botIds: [],
    text,
    isEnabled: query === text && !isExact(text),
    pageSize: SHOWN,
  });
  useSelectedFirst(items.map(({ user }) => user?.id).join(' '));
  return {
    group: t('customers'),
    actions: items.flatMap(({ botId, user, matches, conversations: [latest] }) => {
      if (!user || !latest) return [];
      const name = visibleName(user.name);
      const found = matches.find(({ field }) => field !== 'name')?.value;
      const to = isAgent ? `/inbox/${botId}/${latest.id}` : `/bots/${botId}/conversations/${latest.id}`;
      return [
        {
          id: `customer ${user.id}`,
          label: name ?? found ?? user.id,
          ...(name !== undefined && found !== undefined ? { description: found } : {}),
          // The palette filters by the typed characters, which may differ in case and diacritics.
          keywords: query,
          leftSection: <Person name={name ?? ''} id={user.id} pictureUrl={user.pictureUrl} size={22} />,
          onClick: () => void navigate({ to: to as string }),
        },
      ];
    }),
  };
}

/** The palette selects its first action when the text changes, before results arrive. */
function useSelectedFirst(shown: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: new results need a selection
  useEffect(() => {
    const list = document.querySelector('[role=dialog]');
    if (list?.querySelector('[data-action][data-selected]')) return;
    list?.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
  }, [shown]);
}
