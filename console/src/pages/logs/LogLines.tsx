/** Lines of a log, which scroll to the newest one. */
import { useEffect, useRef } from 'react';
import { activity } from '../../messages/en/activity.ts';
import { translator } from '../../messages/translate.ts';
import { When } from '../../parts/Small.tsx';
import classes from './Logs.module.css';
import type { Log } from './useLog.ts';

const t = translator('activity', activity);

interface LogLinesProps {
  lines: Log['lines'];
  isFollowing: boolean;
  /** Fills its container and wraps the lines, for narrow panels. */
  isNarrow?: boolean;
}

export function LogLines({ lines, isFollowing, isNarrow = false }: LogLinesProps) {
  const viewport = useRef<HTMLDivElement>(null);
  const count = lines.length;
  useEffect(() => {
    if (isFollowing && count > 0) viewport.current?.scrollTo({ top: viewport.current.scrollHeight });
  }, [count, isFollowing]);
  return (
    <div
      className={classes.log}
      data-narrow={isNarrow || undefined}
      ref={viewport}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      role="log"
      aria-label={t('log')}
    >
      {lines.map((line, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no ids
        <div key={`${line.timestamp} ${i}`} className={classes.line} data-level={line.level}>
          <span className={classes.time}>
            <When at={line.timestamp} isExact />
          </span>
          <span className={classes.level}>{line.level}</span>
          <span className={classes.message} dir="auto">
            {line.message}
          </span>
        </div>
      ))}
    </div>
  );
}
