/** The installation or integration whose panel is open, in the URL. */
import { useNavigate, useSearch } from '@tanstack/react-router';

interface Opened {
  installation?: string;
  integration?: string;
}

export function useOpened() {
  const { installation, integration } = useSearch({ strict: false }) as Opened;
  const navigate = useNavigate();
  return {
    // The router parses values such as numbers.
    alias: installation === undefined ? undefined : String(installation),
    integrationId: integration === undefined ? undefined : String(integration),
    show: (opened: Opened) => void navigate({ to: '.', search: { ...opened } }),
    close: () => void navigate({ to: '.', search: {} }),
  };
}
