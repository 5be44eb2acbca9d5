/** The status of an agent: a dot whose shape differs as well as its colour. */
import classes from './Presence.module.css';

export const PresenceDot = ({ presence }: { presence: 'online' | 'away' | 'offline' }) => (
  <span className={classes.dot} data-presence={presence} aria-hidden />
);
