import type { ReactNode } from 'react';
import classes from './StateChip.module.css';

interface StateChipProps {
  status: 'waiting' | 'served' | 'snoozed' | 'closed';
  title?: string;
  children: ReactNode;
}

/** The state of a handoff in a row: its waiting time, its assignee, or the end of its snooze. */
export const StateChip = ({ status, title, children }: StateChipProps) => (
  <bdi className={classes.chip} data-status={status} title={title}>
    {children}
  </bdi>
);
