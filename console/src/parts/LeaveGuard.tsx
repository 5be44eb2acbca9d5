import { useBlocker } from '@tanstack/react-router';
import { DiscardQuestion } from './DiscardQuestion.tsx';

/** Asks before a page with changed values is left, by a link, Back or a reload. */
export function LeaveGuard({ isChanged }: { isChanged: boolean }) {
  const left = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname,
    withResolver: true,
    enableBeforeUnload: isChanged,
    disabled: !isChanged,
  });
  return (
    <DiscardQuestion
      isOpen={left.status === 'blocked'}
      onKeep={() => left.reset?.()}
      onDiscard={() => left.proceed?.()}
    />
  );
}
