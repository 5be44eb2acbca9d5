import '@fontsource-variable/inter/wght.css';
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import './console.css';
import { MantineProvider } from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { explain } from './api/explain.ts';
import { Failure } from './parts/States.tsx';
import { loadConfiguration } from './session/configuration.ts';
import { redeemLink } from './session/redeemLink.ts';
import { takeTokenFromLink } from './session/session.ts';
import { router } from './shell/router.tsx';
import { readableColours, theme } from './theme.ts';

// Runs before the router reads the URL.
const link = takeTokenFromLink();

/** Errors that a retry does not fix. */
const FINAL = new Set(['Unauthorized', 'Forbidden', 'ResourceNotFound', 'InvalidPayload', 'ReferenceNotFound']);

const queries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 5_000, retry: (count, error) => count < 2 && !FINAL.has(explain(error).type ?? '') },
  },
});

const failure = await loadConfiguration().catch((error: unknown) => ({ error }));
const hasFailedLink =
  link &&
  !failure &&
  (await redeemLink(link).then(
    () => false,
    () => true,
  ));
if (hasFailedLink) {
  notifications.show({
    message: 'This link has been used, or is too old. Make another one with npm run console.',
    autoClose: false,
  });
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={readableColours} defaultColorScheme="auto">
      <Notifications position="bottom-right" />
      <QueryClientProvider client={queries}>
        {failure ? <Failure error={failure.error} /> : <RouterProvider router={router} />}
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
