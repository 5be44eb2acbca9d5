import { Anchor, Button, Group, Progress, Stack, Text, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Bot } from '../../api/useBot.ts';
import { IconCircle, IconCircleCheck } from '../../icons/tabler.ts';
import { bots } from '../../messages/en/bots.ts';
import { translator } from '../../messages/translate.ts';
import { guide } from '../../navigation/guides.ts';
import { Section } from '../../parts/Section.tsx';
import { STEPS, type Step, useFirstSteps } from './useFirstSteps.ts';

const t = translator('bots', bots);

const pathOf = (step: Step, botId: string): string =>
  ({
    deploy: `/bots/${botId}/settings`,
    chat: `/bots/${botId}/integrations`,
    talk: `/bots/${botId}/chat`,
    team: '/members',
    handle: '/inbox',
  })[step];

/** The checklist of a new bot. It disappears when every step is done, or when it is hidden. */
export function FirstSteps({ bot }: { bot: Bot }) {
  const { done, hide } = useFirstSteps(bot);
  if (!done) return null;
  const progress = t('stepsDone', { done: done.size, count: STEPS.length });
  return (
    <Section
      title={t('firstSteps')}
      about={progress}
      actions={
        <Button size="compact-sm" variant="subtle" color="gray" onClick={hide}>
          {t('hideSteps')}
        </Button>
      }
    >
      <Progress size="sm" value={(done.size / STEPS.length) * 100} aria-label={progress} />
      <Stack gap="xs" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
        {STEPS.map(step => (
          <StepItem key={step} step={step} isDone={done.has(step)} path={pathOf(step, bot.id)} />
        ))}
      </Stack>
    </Section>
  );
}

function StepItem({ step, isDone, path }: { step: Step; isDone: boolean; path: string }) {
  const StepIcon = isDone ? IconCircleCheck : IconCircle;
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start" data-step={step} data-done={isDone}>
      <StepIcon
        size={18}
        aria-hidden
        color={isDone ? 'var(--mantine-color-brand-text)' : 'var(--mantine-color-dimmed)'}
      />
      <div>
        <Title path={path} isDone={isDone}>
          {t(`step_${step}`)}
        </Title>
        {!isDone && (
          <Text size="sm" c="dimmed">
            {t(`step_${step}_about`)}{' '}
            <Anchor
              size="sm"
              href={guide(step)}
              target="_blank"
              rel="noreferrer"
              aria-label={t('stepGuideLabel', { step: t(`step_${step}`) })}
            >
              {t('stepGuide')}
            </Anchor>
          </Text>
        )}
      </div>
    </Group>
  );
}

const Title = ({ path, isDone, children }: { path: string; isDone: boolean; children: ReactNode }) =>
  isDone ? (
    <Text size="sm" c="dimmed">
      <VisuallyHidden>{`${t('stepIsDone')}: `}</VisuallyHidden>
      {children}
    </Text>
  ) : (
    <Anchor component={Link} size="sm" fw={500} to={path as string}>
      {children}
    </Anchor>
  );
