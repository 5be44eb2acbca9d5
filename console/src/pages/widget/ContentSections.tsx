import { Switch, Textarea, TextInput } from '@mantine/core';
import { widget } from '../../messages/en/widget.ts';
import { translator } from '../../messages/translate.ts';
import { Section } from '../../parts/Section.tsx';
import { type Change, MAX_QUESTIONS, type WidgetSettings } from './widgetDraft.ts';

const t = translator('widget', widget);

export interface PartProps {
  draft: WidgetSettings;
  change: Change;
}

export function GreetingSection({ draft, change }: PartProps) {
  const questions = draft.questions ?? [];
  const isTooMany = questions.filter(each => each.trim()).length > MAX_QUESTIONS;
  return (
    <Section title={t('greetingSection')}>
      <TextInput
        label={t('heading')}
        description={t('headingAbout')}
        maxLength={200}
        value={draft.title ?? ''}
        onChange={event => change({ title: event.currentTarget.value })}
      />
      <Textarea
        label={t('greeting')}
        description={t('greetingAbout')}
        autosize
        minRows={2}
        maxLength={1_000}
        value={draft.greeting ?? ''}
        onChange={event => change({ greeting: event.currentTarget.value })}
      />
      <Textarea
        label={t('questions')}
        description={t('questionsAbout')}
        autosize
        minRows={3}
        value={questions.join('\n')}
        error={isTooMany ? t('tooManyQuestions') : undefined}
        onChange={event => change({ questions: event.currentTarget.value.split('\n') })}
      />
    </Section>
  );
}

export const AfterSection = ({ draft, change }: PartProps) => (
  <Section title={t('after')}>
    <Switch
      label={t('rating')}
      description={t('ratingAbout')}
      checked={draft.rating === true}
      onChange={event => change({ rating: event.currentTarget.checked })}
    />
    <Switch
      label={t('history')}
      description={t('historyAbout')}
      checked={draft.history === true}
      onChange={event => change({ history: event.currentTarget.checked })}
    />
  </Section>
);
