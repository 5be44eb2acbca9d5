/** Chooses between the entrance and the frame of the pages. Without a session, only the sign-in page is loaded. */
import { lazy, Suspense } from 'react';
import { SignIn } from '../pages/SignIn.tsx';
import { useInvitation } from '../session/invitation.ts';
import { currentSession, useSession } from '../session/session.ts';

const load = {
  invitation: () => import('../pages/Invitation.tsx'),
  frame: () => import('./Frame.tsx'),
  choice: () => import('../pages/WorkspaceChoice.tsx'),
};
// Loads concurrently with the configuration.
if (currentSession()) void load.frame();
const Frame = lazy(async () => ({ default: (await load.frame()).Frame }));
const Invitation = lazy(async () => ({ default: (await load.invitation()).Invitation }));
const WorkspaceChoice = lazy(async () => ({ default: (await load.choice()).WorkspaceChoice }));

export function Shell() {
  const session = useSession();
  const invitation = useInvitation();
  if (invitation) {
    return (
      <Suspense>
        <Invitation code={invitation} />
      </Suspense>
    );
  }
  if (!session) return <SignIn />;
  return <Suspense>{session.workspaceId ? <Frame key={session.workspaceId} /> : <WorkspaceChoice />}</Suspense>;
}
