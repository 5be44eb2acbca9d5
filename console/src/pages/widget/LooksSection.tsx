import { NativeSelect, SimpleGrid, Text, TextInput } from '@mantine/core';
import { type ColorTheme, DEFAULT_ACCENT } from '#widget/contrast.ts';
import { widget } from '../../messages/en/widget.ts';
import { locale } from '../../messages/language.ts';
import { translator } from '../../messages/translate.ts';
import { Section } from '../../parts/Section.tsx';
import type { PartProps } from './ContentSections.tsx';
import { PictureSetting } from './PictureSetting.tsx';
import classes from './Widget.module.css';
import { faultOfColor, type WidgetSettings } from './widgetDraft.ts';

const t = translator('widget', widget);

export function LooksSection({ draft, change }: PartProps) {
  const { accent, launcher } = draft;
  const changeLauncher = (changes: WidgetSettings['launcher']) => change({ launcher: { ...launcher, ...changes } });
  return (
    <Section title={t('looks')} about={t('pictureAbout')}>
      <PictureSetting label={t('avatar')} isSquare value={draft.avatar} onChange={avatar => change({ avatar })} />
      <PictureSetting label={t('logo')} about={t('logoAbout')} value={draft.logo} onChange={logo => change({ logo })} />
      <Text size="xs" c="dimmed">
        {t('accentAbout')}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {(['light', 'dark'] as const).map(theme => (
          <ColorSetting
            key={theme}
            theme={theme}
            value={accent?.[theme] ?? ''}
            onChange={color => change({ accent: { ...accent, [theme]: color } })}
          />
        ))}
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={t('launcherText')}
          maxLength={60}
          value={launcher?.text ?? ''}
          onChange={event => changeLauncher({ text: event.currentTarget.value })}
        />
        <NativeSelect
          label={t('position')}
          data={[
            { value: 'end', label: t('end') },
            { value: 'start', label: t('start') },
          ]}
          value={launcher?.position ?? 'end'}
          onChange={event => changeLauncher({ position: event.currentTarget.value as 'end' | 'start' })}
        />
      </SimpleGrid>
      <PictureSetting label={t('icon')} isSquare value={launcher?.icon} onChange={icon => changeLauncher({ icon })} />
    </Section>
  );
}

interface ColorSettingProps {
  theme: ColorTheme;
  value: string;
  onChange: (color: string) => void;
}

function ColorSetting({ theme, value, onChange }: ColorSettingProps) {
  const fault = faultOfColor(value, theme);
  const error =
    fault === 'form'
      ? t('noColor')
      : fault && t('lowContrast', { contrast: fault.toLocaleString(locale, { minimumFractionDigits: 1 }) });
  return (
    <TextInput
      label={t(theme === 'light' ? 'accentLight' : 'accentDark')}
      placeholder={DEFAULT_ACCENT[theme]}
      maxLength={7}
      value={value}
      error={error}
      leftSection={
        <span
          aria-hidden
          className={classes.swatch}
          style={{ background: fault === 'form' || !value ? 'transparent' : value }}
        />
      }
      onChange={event => onChange(event.currentTarget.value)}
    />
  );
}
