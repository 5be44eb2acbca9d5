/** Settings of alerts: sound, desktop notifications, and the changes that alert. Each change is saved immediately. */
import { Button, Group, NativeSelect, Slider, Stack, Switch, Text } from '@mantine/core';
import { useState } from 'react';
import {
  ALERT_EVENTS,
  EVERYTHING,
  ONLY_MINE,
  presetOf,
  type AlertSettings as Settings,
} from '../../alerts/alertSettings.ts';
import { requestPermission, showOnDesktop, useDesktopPermission } from '../../alerts/desktop.ts';
import { playSound, useSoundBlocked } from '../../alerts/sound.ts';
import { useAlertSettings } from '../../alerts/useAlertSettings.ts';
import { alerts } from '../../messages/en/alerts.ts';
import { translator } from '../../messages/translate.ts';
import { Loaded } from '../../parts/States.tsx';

const t = translator('alerts', alerts);

export function AlertSettings() {
  const { query, save } = useAlertSettings();
  return <Loaded query={query}>{settings => <Form settings={settings} save={save} />}</Loaded>;
}

interface PartProps {
  settings: Settings;
  save: (change: Partial<Settings>) => void;
}

const Form = (props: PartProps) => (
  <Stack gap="md">
    <Events {...props} />
    <Sound {...props} />
    <Desktop {...props} />
    <Test settings={props.settings} />
  </Stack>
);

function Events({ settings: { events }, save }: PartProps) {
  const preset = presetOf(events);
  const choose = (value: string) => {
    if (value === 'everything') save({ events: EVERYTHING });
    if (value === 'mine') save({ events: ONLY_MINE });
  };
  return (
    <>
      <NativeSelect
        label={t('alertMe')}
        maw={320}
        value={preset}
        onChange={event => choose(event.currentTarget.value)}
        data={[
          { value: 'everything', label: t('preset_everything') },
          { value: 'mine', label: t('preset_mine') },
          // Follows from the switches.
          { value: 'custom', label: t('preset_custom'), disabled: true },
        ]}
      />
      <Stack gap="xs">
        {ALERT_EVENTS.map(event => (
          <Switch
            key={event}
            label={t(`event_${event}`)}
            checked={events[event]}
            onChange={({ currentTarget: { checked } }) => save({ events: { ...events, [event]: checked } })}
          />
        ))}
      </Stack>
    </>
  );
}

function Sound({ settings: { sound, volume }, save }: PartProps) {
  const [moved, setMoved] = useState<number>();
  const isBlocked = useSoundBlocked();
  return (
    <Stack gap="xs">
      <Switch label={t('sound')} checked={sound} onChange={event => save({ sound: event.currentTarget.checked })} />
      <Group gap="sm" maw={320} wrap="nowrap">
        <Text size="sm" c={sound ? undefined : 'dimmed'}>
          {t('volume')}
        </Text>
        <Slider
          flex={1}
          min={5}
          max={100}
          step={5}
          label={null}
          disabled={!sound}
          thumbLabel={t('volume')}
          value={moved ?? volume}
          onChange={setMoved}
          onChangeEnd={value => {
            setMoved(undefined);
            save({ volume: value });
          }}
        />
      </Group>
      {isBlocked && (
        <Text size="sm" role="status">
          {t('soundBlocked')}
        </Text>
      )}
    </Stack>
  );
}

function Desktop({ settings: { desktop }, save }: PartProps) {
  const permission = useDesktopPermission();
  return (
    <Stack gap="xs">
      <Switch
        label={t('desktop')}
        checked={desktop}
        onChange={event => {
          const { checked } = event.currentTarget;
          save({ desktop: checked });
          if (checked) void requestPermission();
        }}
      />
      {desktop && permission !== 'granted' && (
        <Text size="sm" role="status">
          {t(`permission_${permission}`)}
        </Text>
      )}
      {desktop && permission === 'default' && (
        <Group>
          <Button size="xs" variant="default" onClick={() => void requestPermission()}>
            {t('allow')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** Shows what an alert does in this browser. */
function Test({ settings: { sound, volume, desktop } }: Pick<PartProps, 'settings'>) {
  const [outcome, setOutcome] = useState('');
  const test = async () => {
    const isHeard = sound && (await playSound(volume));
    const text = { title: t('testTitle'), body: t('testBody'), tag: 'test' };
    const isShown = desktop && showOnDesktop(text, sound, () => undefined);
    setOutcome(t(isHeard ? (isShown ? 'tested_both' : 'tested_sound') : isShown ? 'tested_desktop' : 'tested_nothing'));
  };
  return (
    <Group gap="sm">
      <Button size="xs" variant="default" onClick={() => void test()}>
        {t('test')}
      </Button>
      <Text size="sm" c="dimmed" role="status">
        {outcome}
      </Text>
    </Group>
  );
}
