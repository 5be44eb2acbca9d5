/** A dialog with a URL, so that links, the command palette and the back button open and close it. */
import { useNavigate, useSearch } from '@tanstack/react-router';

export type Dialog = 'bot' | 'member' | 'table';

export function useDialog(name: Dialog) {
  const isOpen = (useSearch({ strict: false }) as { new?: string }).new === name;
  const navigate = useNavigate();
  return {
    isOpen,
    open: () => void navigate({ to: '.', search: { new: name } }),
    close: () => void navigate({ to: '.', search: {}, replace: true }),
  };
}
