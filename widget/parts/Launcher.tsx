import type { Ref } from 'preact';
import { counted } from '../languages.ts';
import { useAround } from './around.ts';
import { Icon } from './Icon.tsx';
import { Picture } from './Picture.tsx';

/** Higher counts are shown as `9+`. */
const MAX_COUNTED = 9;

interface LauncherProps {
  isOpen: boolean;
  unread: number;
  text: string | undefined;
  /** URL of an image. */
  icon: string | undefined;
  onPress: () => void;
  button: Ref<HTMLButtonElement>;
}

export function Launcher({ isOpen, unread, text, icon, onPress, button }: LauncherProps) {
  const { words } = useAround();
  const news = unread === 0 ? '' : unread === 1 ? words.unreadOne : counted(words.unreadMany, unread);
  const badge = unread > MAX_COUNTED ? `${MAX_COUNTED}+` : unread;
  // Starts with the visible text, which users of speech input say.
  const label = isOpen ? words.close : [text, words.open, news].filter(Boolean).join(', ');
  const hasText = text !== undefined && !isOpen;
  return (
    <>
      <button
        ref={button}
        type="button"
        class={hasText ? 'launcher wide' : 'launcher'}
        aria-expanded={isOpen}
        aria-label={label}
        onClick={onPress}
      >
        {isOpen || !icon ? (
          <Icon name={isOpen ? 'close' : 'chat'} />
        ) : (
          <Picture class="launcherPicture" src={icon}>
            <Icon name="chat" />
          </Picture>
        )}
        {hasText && <bdi class="launcherText">{text}</bdi>}
        {!isOpen && unread > 0 && (
          <span class="badge" aria-hidden="true">
            {badge}
          </span>
        )}
      </button>
      <span class="hidden" role="status">
        {isOpen ? '' : news}
      </span>
    </>
  );
}
