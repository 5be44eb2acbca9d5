import type { ReactNode } from 'react';
import classes from './StateChip.module.css';

interface StateChipProps {
  status: 'waiting' | 'served' | 'closed';
  title?: string;
  children: ReactNode;
}

/** The state of a handoff in a row: its waiting time, or its assignee. */
export const StateChip = ({ status, title, children }: StateChipProps) => (
  <bdi className={classes.chip} data-status={status} title={title}>
    {children}
  </bdi>
);
