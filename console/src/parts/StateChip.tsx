import type { ReactNode } from 'react';
import classes from './StateChip.module.css';

interface StateChipProps {
  status: 'waiting' | 'served' | 'snoozed' | 'closed' | 'urgent';
  title?: string;
  children: ReactNode;
}

/** The state of a handoff in a row: its waiting time, its assignee, the end of its snooze, or its priority. */
export const StateChip = ({ status, title, children }: StateChipProps) => (
  <bdi className={classes.chip} data-status={status} title={title}>
    {children}
  </bdi>
);
