import type { ComponentChildren } from 'preact';
import { safeAddress } from '../addresses.ts';
import { useAround } from './around.ts';

interface LinkProps {
  href: unknown;
  children: ComponentChildren;
  class?: string;
}

/** Opens a link in a new window, or shows only the text of an unsafe URL. */
export function Link({ href, children, class: name }: LinkProps) {
  const { words } = useAround();
  const address = safeAddress(href);
  if (!address) return <span>{children}</span>;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer" class={name}>
      {children}
      <span class="hidden"> ({words.newWindow})</span>
    </a>
  );
}
