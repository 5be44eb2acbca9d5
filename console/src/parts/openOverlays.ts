/** Open dialogs in the order in which they opened. */

type Close = () => void;

const open: { close: Close }[] = [];

/** Menus and fields with suggestions close themselves first. Input methods use Escape to discard a composition. */
const isHandled = ({ isComposing, target }: KeyboardEvent) =>
  isComposing || (target as Element | null)?.getAttribute?.('data-mantine-stop-propagation') === 'true';

function closeTopmost(event: KeyboardEvent): void {
  if (event.key === 'Escape' && !isHandled(event)) open.at(-1)?.close();
}

/** Registers an open dialog. @returns a function that removes it */
export function openOverlay(close: Close): () => void {
  const entry = { close };
  if (open.length === 0) window.addEventListener('keydown', closeTopmost, { capture: true });
  open.push(entry);
  return () => {
    open.splice(open.indexOf(entry), 1);
    if (open.length === 0) window.removeEventListener('keydown', closeTopmost, { capture: true });
  };
}
