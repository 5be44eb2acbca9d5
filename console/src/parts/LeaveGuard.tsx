import { useBlocker } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { DiscardQuestion } from './DiscardQuestion.tsx';

/** Asks before a page with changed values is left, by a link or Back. */
export function LeaveGuard({ isChanged }: { isChanged: boolean }) {
  const [link, setLink] = useState<string>();
  const [isDiscarded, setDiscarded] = useState(false);
  const isActive = isChanged && !isDiscarded;
  const left = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname,
    withResolver: true,
    enableBeforeUnload: false,
    disabled: !isActive,
  });
  useEffect(() => {
    if (!isActive) return;
    // The router would notice a followed link only afterwards, and reload the page to return.
    const click = (event: MouseEvent) => {
      const target = pageOf(event);
      if (target === undefined || pathOf(target) === pathOf(location.hash)) return;
      event.preventDefault();
      event.stopPropagation();
      setLink(target);
    };
    document.addEventListener('click', click, true);
    return () => document.removeEventListener('click', click, true);
  }, [isActive]);
  useEffect(() => {
    if (isDiscarded && link) location.hash = link;
  }, [isDiscarded, link]);
  const keep = () => {
    setLink(undefined);
    left.reset?.();
  };
  const discard = () => {
    if (left.status === 'blocked') return left.proceed();
    setDiscarded(true);
  };
  const isOpen = left.status === 'blocked' || (link !== undefined && !isDiscarded);
  return <DiscardQuestion isOpen={isOpen} onKeep={keep} onDiscard={discard} />;
}

/** Returns the hash of a link of the console that a click follows in this tab. */
function pageOf({ target, button, ctrlKey, metaKey, shiftKey }: MouseEvent): string | undefined {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
  const isElsewhere = button !== 0 || ctrlKey || metaKey || shiftKey || link?.target === '_blank';
  return link && !isElsewhere && link.hash.startsWith('#/') ? link.hash : undefined;
}

const pathOf = (hash: string) => hash.split('?')[0];
