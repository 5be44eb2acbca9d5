import type { Ref } from 'preact';
import { counted } from '../languages.ts';
import { useAround } from './around.ts';
import { Icon } from './Icon.tsx';

/** Higher counts are shown as `9+`. */
const MAX_COUNTED = 9;

interface LauncherProps {
  isOpen: boolean;
  unread: number;
  onPress: () => void;
  button: Ref<HTMLButtonElement>;
}

export function Launcher({ isOpen, unread, onPress, button }: LauncherProps) {
  const { words } = useAround();
  const news = unread === 0 ? '' : unread === 1 ? words.unreadOne : counted(words.unreadMany, unread);
  const badge = unread > MAX_COUNTED ? `${MAX_COUNTED}+` : unread;
  const label = isOpen ? words.close : [words.open, news].filter(Boolean).join(', ');
  return (
    <>
      <button ref={button} type="button" class="launcher" aria-expanded={isOpen} aria-label={label} onClick={onPress}>
        <Icon name={isOpen ? 'close' : 'chat'} />
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
