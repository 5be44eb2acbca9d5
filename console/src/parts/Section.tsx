import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionProps {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export const Section = ({ title, about, actions, children }: SectionProps) => (
  <Paper withBorder p="md" component="section" aria-label={title}>
    <Stack gap="sm">
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <SectionHeading title={title} about={about} order={2} />
        {actions}
      </Group>
      {children}
    </Stack>
  </Paper>
);

interface SectionHeadingProps extends Pick<SectionProps, 'title' | 'about'> {
  order: 2 | 3;
}

export const SectionHeading = ({ title, about, order }: SectionHeadingProps) => (
  <div>
    <Title order={order} size="h4">
      {title}
    </Title>
    {about && (
      <Text size="sm" c="dimmed">
        {about}
      </Text>
    )}
  </div>
);

export const Figure = ({ name, value, children }: { name: string; value: string; children?: ReactNode }) => (
  <Paper withBorder p="md">
    <Text size="sm" c="dimmed">
      {name}
    </Text>
    <Text fw={600} fz={22} lh={1.3} className="number">
      {value}
    </Text>
    {children}
  </Paper>
);
