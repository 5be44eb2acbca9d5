import type { ReactNode } from 'react';
import classes from './LabelChip.module.css';

interface LabelChipProps {
  /** Color of the label, of the palette of the API. By default, gray. */
  color?: string;
  title?: string | undefined;
  children: ReactNode;
}

/** A label of a conversation, in its color. */
export const LabelChip = ({ color = 'gray', title, children }: LabelChipProps) => (
  <span className={classes.chip} data-color={color} title={title}>
    {children}
  </span>
);

/** The color of a label in lists of labels. */
export const LabelDot = ({ color }: { color: string }) => <span className={classes.dot} data-color={color} />;
