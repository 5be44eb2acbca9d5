/** Desktop notifications and their permission, which belongs to the browser. */
import { useSyncExternalStore } from 'react';
import type { AlertText } from './alertText.ts';

/** `unsupported`: on insecure pages, and in browsers without notifications of pages. */
export type DesktopPermission = NotificationPermission | 'unsupported';

let isRejected = false;
const listeners = new Set<() => void>();
const changed = () => {
  for (const listener of listeners) listener();
};

function permission(): DesktopPermission {
  if (isRejected || typeof Notification === 'undefined' || !isSecureContext) return 'unsupported';
  return Notification.permission;
}

/** Must be called by a click. */
export async function requestPermission(): Promise<DesktopPermission> {
  if (permission() === 'default') await Notification.requestPermission();
  changed();
  return permission();
}

/** @returns false if the browser shows none */
export function showOnDesktop(
  { title, body, tag }: Pick<AlertText, 'title' | 'body' | 'tag'>,
  isSilent: boolean,
  onClick: () => void,
): boolean {
  if (permission() !== 'granted') return false;
  try {
    // `renotify` is not part of the type.
    const options = { body, tag, renotify: true, silent: isSilent, icon: new URL('icon.svg', document.baseURI).href };
    const notification = new Notification(title, options);
    notification.onclick = () => {
      window.focus();
      notification.close();
      onClick();
    };
    return true;
  } catch {
    // Android shows only notifications of service workers.
    isRejected = true;
    changed();
    return false;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  let status: PermissionStatus | undefined;
  // The user can change the permission in the browser settings.
  navigator.permissions
    ?.query({ name: 'notifications' })
    .then(found => {
      if (!listeners.has(listener)) return;
      status = found;
      status.addEventListener('change', listener);
    })
    .catch(() => undefined);
  return () => {
    listeners.delete(listener);
    status?.removeEventListener('change', listener);
  };
}

export const useDesktopPermission = (): DesktopPermission => useSyncExternalStore(subscribe, permission);
