/** Chooses between the entrance and the frame of the pages. Without a session, only the sign-in page is loaded. */
import { lazy, Suspense } from 'react';
import { SignIn } from '../pages/SignIn.tsx';
import { currentSession, useSession } from '../session/session.ts';

const load = { frame: () => import('./Frame.tsx'), choice: () => import('../pages/WorkspaceChoice.tsx') };
// Loads concurrently with the configuration.
if (currentSession()) void load.frame();
const Frame = lazy(async () => ({ default: (await load.frame()).Frame }));
const WorkspaceChoice = lazy(async () => ({ default: (await load.choice()).WorkspaceChoice }));

export function Shell() {
  const session = useSession();
  if (!session) return <SignIn />;
  return <Suspense>{session.workspaceId ? <Frame key={session.workspaceId} /> : <WorkspaceChoice />}</Suspense>;
}
