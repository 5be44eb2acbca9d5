/**
 * Key code of events that an input method handles, as for Chinese, Japanese or Korean. Enter confirms a word, and
 * Escape cancels it. In Safari, `isComposing` is already false for the key that confirms.
 */
const PROCESSED = 229;

const isOfInputMethod = ({ isComposing, keyCode }: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean =>
  isComposing || keyCode === PROCESSED;

/** Hides input-method keys from all handlers below the target. The browser still processes them. */
export function hideInputMethodKeys(target: EventTarget): void {
  const hide = (event: Event) => {
    if (isOfInputMethod(event as KeyboardEvent)) event.stopImmediatePropagation();
  };
  target.addEventListener('keydown', hide, { capture: true });
}
