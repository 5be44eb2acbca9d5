/** The frame of pages outside a workspace. */
import { Center, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Logo } from './Logo.tsx';

interface EntranceProps {
  title: string;
  about?: ReactNode;
  children: ReactNode;
  foot?: ReactNode;
}

export const Entrance = ({ title, about, children, foot }: EntranceProps) => (
  <Center component="main" mih="100dvh" p="md" bg="var(--console-sidebar)">
    <Stack w={400} maw="100%" gap="lg">
      <Stack align="center" gap="xs">
        <Logo size={40} />
        <Title order={1}>{title}</Title>
        {about && (
          <Text size="sm" c="dimmed" ta="center">
            {about}
          </Text>
        )}
      </Stack>
      <Paper withBorder p="lg" shadow="xs">
        {children}
      </Paper>
      {foot && <Center>{foot}</Center>}
    </Stack>
  </Center>
);
