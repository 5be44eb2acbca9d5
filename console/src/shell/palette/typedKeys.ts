/**
 * Detects keys typed for a text field that has just been disabled or removed, for example because a colleague took the
 * conversation over. They must not act as shortcuts.
 */

/** Maximum time between two keys of one text. */
const PAUSE_MS = 2_000;
const FIELD = 'input, textarea, select, [contenteditable]';
/** Keys that end a text. */
const ENDING_KEYS = ['Tab', 'Escape', 'Enter'];

let typing: { field: Element; atMs: number } | undefined;

const forget = () => {
  typing = undefined;
};

function onKeyDown({ target, key, timeStamp }: KeyboardEvent): void {
  const field = target instanceof Element ? target.closest(FIELD) : null;
  if (ENDING_KEYS.includes(key)) forget();
  else if (field) typing = { field, atMs: timeStamp };
}

/** Observes the keys of text fields. @returns a function that stops it */
export function observeTyping(): () => void {
  const options = { capture: true };
  document.addEventListener('keydown', onKeyDown, options);
  // A field that loses the focus by itself causes neither event.
  document.addEventListener('pointerdown', forget, options);
  document.addEventListener('focusin', forget, options);
  return () => {
    document.removeEventListener('keydown', onKeyDown, options);
    document.removeEventListener('pointerdown', forget, options);
    document.removeEventListener('focusin', forget, options);
    forget();
  };
}

/** Returns true for a key that continues a text whose field has lost the focus by itself. */
export function continuesText({ target, timeStamp }: Pick<KeyboardEvent, 'target' | 'timeStamp'>): boolean {
  if (!typing || typing.field === target || timeStamp - typing.atMs > PAUSE_MS) return false;
  typing.atMs = timeStamp;
  return true;
}
