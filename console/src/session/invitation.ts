/** The invitation that this tab shows, from a link or from the sign-in page. It is kept only until it is answered. */
import { useSyncExternalStore } from 'react';

const INVITATION = /bp_inv_[\w-]{66}/;
const listeners = new Set<() => void>();
let current: string | undefined;

/** Returns the code in an invitation, which is a link or a code. */
export const invitationIn = (text: string): string | undefined => INVITATION.exec(text)?.[0];

export function showInvitation(code: string | undefined): void {
  current = code;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export const useInvitation = (): string | undefined => useSyncExternalStore(subscribe, () => current);

/** Links to this console. The code is in the fragment, which browsers do not send to servers. */
export const invitationLink = (code: string): string => `${location.origin}${location.pathname}#invitation=${code}`;
export const signInLink = (token: string): string => `${location.origin}${location.pathname}#token=${token}`;
