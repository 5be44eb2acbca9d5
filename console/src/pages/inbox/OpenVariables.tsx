/** Variables of a saved reply that have no value. They block sending until the agent replaces or removes them. */
import { Button } from '@mantine/core';
import { IconAlertCircle } from '../../icons/tabler.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { replies } from '../../messages/en/replies.ts';
import { translator } from '../../messages/translate.ts';
import type { Place } from '../../parts/replyVariables.ts';
import classes from './Inbox.module.css';

const t = translator('inbox', inbox);
const tr = translator('replies', replies);

interface OpenVariablesProps {
  places: readonly Place[];
  /** Selects the variable in the field. */
  onSelect: (place: Place) => void;
}

export const OpenVariables = ({ places, onSelect }: OpenVariablesProps) => (
  <div className={classes.variables} role="status">
    {places.length > 0 && (
      <>
        <IconAlertCircle size={14} aria-hidden />
        <span>{t('fillVariables')}</span>
        {places.map(place => (
          <Button
            key={place.start}
            size="compact-xs"
            variant="light"
            color="yellow"
            // Keeps the selection of the field until the click.
            onMouseDown={event => event.preventDefault()}
            onClick={() => onSelect(place)}
          >
            {tr(`variable_${place.variable}`)}
          </Button>
        ))}
      </>
    )}
  </div>
);
