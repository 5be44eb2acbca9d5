import { hideInputMethodKeys } from '#widget/inputMethod.ts';
import '@fontsource-variable/inter/wght.css';
import './styles/entrance.css';
import './console.css';
import { MantineProvider } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { createHashHistory, RouterProvider } from '@tanstack/react-router';
import { lazy, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { onCallError } from './api/callErrors.ts';
import { explain, isUnauthorised } from './api/explain.ts';
import { createQueries, forgetFailures } from './api/queries.ts';
import { checkSession, finishSingleSignOn, signIn } from './api/signIn.ts';
import { shell } from './messages/en/shell.ts';
import { loadLanguage, translator } from './messages/translate.ts';
import { Failure } from './parts/States.tsx';
import { loadConfiguration } from './session/configuration.ts';
import { showInvitation } from './session/invitation.ts';
import { followOtherTabs, type OpenedLink, onAccountLeft, onSignedIn, takeLink } from './session/session.ts';
import { type Return, takeReturn } from './session/singleSignOn.ts';
import { createConsoleRouter } from './shell/router.tsx';
import { createConsoleTheme, readableColours } from './theme.ts';

const t = translator('shell', shell);
/** Loaded lazily: notifications can be added to the store before it renders them. */
const Notifications = lazy(() => import('./shell/Notifications.tsx'));

// Registered before the listeners of the component library, so that they never see these keys.
hideInputMethodKeys(window);

// Runs before the router reads the URL.
const link = takeLink();
const returned = takeReturn();

// Routes are in the fragment, so that any static host can serve the pages.
const router = createConsoleRouter(createHashHistory());

const queries = createQueries();

onAccountLeft(() => queries.clear());
onSignedIn(() => forgetFailures(queries));
router.subscribe('onBeforeLoad', ({ pathChanged }) => {
  if (pathChanged) forgetFailures(queries);
});
followOtherTabs();
onCallError(checkSession);

const [failure] = await Promise.all([loadConfiguration().catch((error: unknown) => ({ error })), loadLanguage()]);
if (link && !failure) await follow(link);
if (returned && !failure) await finish(returned);

async function follow({ kind, value }: OpenedLink): Promise<void> {
  if (kind === 'invitation') showInvitation(value);
  else if (kind === 'token') await redeem(value);
  else notifications.show({ message: t('damagedLink'), color: 'red', autoClose: false });
}

async function finish(back: Return): Promise<void> {
  try {
    if ('fault' in back) throw new Error(back.fault || t('foreignReturn'));
    await finishSingleSignOn(back);
  } catch (error) {
    notifications.show({ title: t('notSignedIn'), message: explain(error).message, color: 'red', autoClose: false });
  }
}

async function redeem(token: string): Promise<void> {
  try {
    await signIn(token);
  } catch (error) {
    const message = isUnauthorised(error) ? t('usedLink') : explain(error).message;
    notifications.show({ message, autoClose: false });
  }
}

// Opening a link in a tab that already shows the console changes only the fragment, which does not reload the page.
addEventListener('hashchange', async ({ newURL }) => {
  const opened = takeLink(newURL);
  if (opened) await follow(opened);
});

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider theme={createConsoleTheme()} cssVariablesResolver={readableColours} defaultColorScheme="auto">
      <Suspense>
        <Notifications />
      </Suspense>
      <QueryClientProvider client={queries}>
        {failure ? <Failure error={failure.error} /> : <RouterProvider router={router} />}
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
