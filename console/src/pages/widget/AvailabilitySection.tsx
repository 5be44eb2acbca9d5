// biome-ignore-all lint/suspicious/noArrayIndexKey: periods have no ids
import { Group, NativeSelect, Stack, Switch, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '../../icons/tabler.ts';
import { widget } from '../../messages/en/widget.ts';
import { locale } from '../../messages/language.ts';
import { translator } from '../../messages/translate.ts';
import { IconAction } from '../../parts/Copyable.tsx';
import { Section } from '../../parts/Section.tsx';
import type { PartProps } from './ContentSections.tsx';
import classes from './Widget.module.css';
import { MAX_PERIODS, OFFICE_HOURS, type Period, type WidgetSettings } from './widgetDraft.ts';

const t = translator('widget', widget);

const REPLY_TIMES = ['minutes', 'hours', 'day'] as const;
type ReplyTime = NonNullable<WidgetSettings['replyTime']>;

const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
/** From Monday, which is 1. */
const DAYS = [1, 2, 3, 4, 5, 6, 7].map(day => ({ day, name: weekday.format(Date.UTC(2024, 0, day)) }));

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

export function AvailabilitySection({ draft: { replyTime, hours }, change }: PartProps) {
  const zones = [...new Set([hours?.timeZone ?? ownZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])].toSorted();
  return (
    <Section title={t('availability')}>
      <NativeSelect
        label={t('replyTime')}
        data={[{ value: '', label: t('none') }, ...REPLY_TIMES.map(value => ({ value, label: t(value) }))]}
        value={replyTime ?? ''}
        onChange={event => change({ replyTime: (event.currentTarget.value || undefined) as ReplyTime | undefined })}
        maw={320}
      />
      <Switch
        label={t('openingHours')}
        description={t('openingHoursAbout')}
        checked={hours !== undefined}
        onChange={event =>
          change({ hours: event.currentTarget.checked ? { timeZone: ownZone(), periods: OFFICE_HOURS } : undefined })
        }
      />
      {hours && (
        <>
          <NativeSelect
            label={t('timeZone')}
            data={zones}
            value={hours.timeZone}
            onChange={event => change({ hours: { ...hours, timeZone: event.currentTarget.value } })}
            maw={320}
          />
          <Week periods={hours.periods} onChange={periods => change({ hours: { ...hours, periods } })} />
        </>
      )}
    </Section>
  );
}

interface WeekProps {
  periods: readonly Period[];
  onChange: (periods: Period[]) => void;
}

/** A time field cannot show 24:00. */
const shown = (time: string) => (time === '24:00' ? '00:00' : time);
const endOf = (time: string) => (time === '00:00' ? '24:00' : time);

function Week({ periods, onChange }: WeekProps) {
  const set = (period: Period, changes: Partial<Period>) =>
    onChange(periods.map(each => (each === period ? { ...each, ...changes } : each)));
  return (
    <Stack gap="xs">
      {DAYS.map(({ day, name }) => {
        const ofDay = periods.filter(each => each.day === day);
        return (
          <Group key={day} align="flex-start" gap="xs" role="group" aria-label={name}>
            <Text size="sm" className={classes.day}>
              {name}
            </Text>
            <Stack gap={4}>
              {ofDay.length === 0 && (
                <Text size="sm" c="dimmed" pt={6}>
                  {t('closed')}
                </Text>
              )}
              {ofDay.map((period, i) => (
                <Group key={i} gap={4} wrap="nowrap">
                  <TextInput
                    size="xs"
                    type="time"
                    required
                    aria-label={t('from', { day: name })}
                    value={period.from}
                    onChange={event => set(period, { from: event.currentTarget.value })}
                  />
                  –
                  <TextInput
                    size="xs"
                    type="time"
                    required
                    aria-label={t('to', { day: name })}
                    value={shown(period.to)}
                    onChange={event => set(period, { to: endOf(event.currentTarget.value) })}
                  />
                  <IconAction
                    label={t('removePeriod', { day: name })}
                    Icon={IconTrash}
                    onClick={() => onChange(periods.filter(each => each !== period))}
                  />
                </Group>
              ))}
            </Stack>
            {ofDay.length < MAX_PERIODS && (
              <IconAction
                label={t('addPeriod', { day: name })}
                Icon={IconPlus}
                onClick={() => onChange([...periods, { day, from: '09:00', to: '17:00' }])}
              />
            )}
          </Group>
        );
      })}
    </Stack>
  );
}
