/** The frame of every page: a heading, its purpose and its actions. */
import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { common } from '../messages/en/common.ts';
import { translator } from '../messages/translate.ts';
import { usePageTitle } from './pageTitle.ts';

const t = translator('common', common);

interface PageProps {
  title: string;
  /** Shown beside the title, for example a status. */
  badge?: ReactNode;
  about?: ReactNode;
  actions?: ReactNode;
  /** Uses the full window width, for grids. */
  isWide?: boolean;
  children: ReactNode;
}

export function Page({ title, badge, about, actions, isWide = false, children }: PageProps) {
  usePageTitle(title);
  return (
    <Stack
      gap="lg"
      px={{ base: 'md', sm: 'xl' }}
      py={{ base: 'md', sm: 'lg' }}
      maw={isWide ? undefined : 1240}
      mx="auto"
    >
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={2} miw={0}>
          <Group gap="sm">
            <Title order={1} style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Title>
            {badge}
          </Group>
          {about && (
            <Text c="dimmed" size="sm" maw={680}>
              {about}
            </Text>
          )}
        </Stack>
        <Group gap="xs">{actions}</Group>
      </Group>
      {children}
    </Stack>
  );
}

/** Fields that narrow a list. */
export const Toolbar = ({ children }: { children: ReactNode }) => (
  <Group gap="xs" role="search" aria-label={t('filters')}>
    {children}
  </Group>
);
