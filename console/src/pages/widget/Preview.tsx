/** Shows the real widget with unsaved settings. It makes no calls. */
import { NativeSelect } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { Chat } from '#widget/package/index.d.ts';
import { widget } from '../../messages/en/widget.ts';
import { language } from '../../messages/language.ts';
import { translator } from '../../messages/translate.ts';
import classes from './Widget.module.css';
import { settingsOf, type WidgetSettings } from './widgetDraft.ts';

const t = translator('widget', widget);

const THEMES = ['light', 'dark'] as const;
type Theme = (typeof THEMES)[number];
const BACKGROUNDS = { light: '#f1f3f5', dark: '#101113' };
/** A frame of its own, so that the widget neither covers nor styles the console. */
const FRAME = '<!doctype html><meta name="viewport" content="width=device-width"><body></body>';

export function Preview({ chatUrl, settings }: { chatUrl: string; settings: WidgetSettings }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [chat, setChat] = useState<Chat>();
  const [theme, setTheme] = useState<Theme>('light');
  const stored = JSON.stringify(settingsOf(settings));
  const load = () => {
    const page = frame.current?.contentDocument;
    const window = frame.current?.contentWindow;
    if (!page || !window) return;
    const script = page.createElement('script');
    script.src = new URL('widget.js', document.baseURI).href;
    script.onload = () =>
      setChat(window.ParleyChat?.show({ chatUrl, preview: true, open: true, lang: language, settings: 'off' }));
    page.body.append(script);
  };
  useEffect(() => {
    try {
      chat?.setSettings(JSON.parse(stored));
    } catch {
      // An unfinished URL. The preview keeps the former settings.
    }
  }, [chat, stored]);
  useEffect(() => {
    chat?.setTheme(theme);
    const page = frame.current?.contentDocument;
    if (chat && page) page.body.style.background = BACKGROUNDS[theme];
  }, [chat, theme]);
  return (
    <>
      <NativeSelect
        size="xs"
        label={t('theme')}
        data={THEMES.map(value => ({ value, label: t(value) }))}
        value={theme}
        onChange={event => setTheme(event.currentTarget.value as Theme)}
      />
      <div className={classes.screen}>
        <iframe ref={frame} className={classes.frame} title={t('preview')} srcDoc={FRAME} onLoad={load} />
      </div>
    </>
  );
}
