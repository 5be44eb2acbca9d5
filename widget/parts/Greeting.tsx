import { useAround } from './around.ts';
import { Icon } from './Icon.tsx';

interface GreetingProps {
  text: string;
  onOpen(): void;
  onDismiss(): void;
}

/** Shows the greeting beside the button of the closed chat. Its text opens the chat. */
export function Greeting({ text, onOpen, onDismiss }: GreetingProps) {
  const { words } = useAround();
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onDismiss();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape in one of its buttons
    <div class="greeting" onKeyDown={press}>
      <button type="button" class="greetingText" dir="auto" onClick={onOpen}>
        {text}
      </button>
      <button type="button" class="dismiss" aria-label={words.dismiss} onClick={onDismiss}>
        <Icon name="close" />
      </button>
    </div>
  );
}
