import { useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { Drawer } from '../../parts/Overlay.tsx';
import classes from './Conversations.module.css';

interface Options {
  /** Media query of windows that show the details in a pane. Narrower windows show them in a drawer. */
  wide: string;
  label: string;
}

/** Returns the details of a conversation beside its messages, and the state of the button that shows them. */
export function useDetailsPane({ wide, label }: Options) {
  const isWide = useMediaQuery(wide, true, { getInitialValueInEffect: false });
  const [isShown, setShown] = useLocalStorage({ key: 'parley-console-details', defaultValue: true });
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const paneOf = (details: ReactNode) => {
    if (!isWide)
      return (
        <Drawer
          opened={isDrawerOpen}
          onClose={() => setDrawerOpen(false)}
          title={label}
          size={360}
          styles={{ body: { padding: 0 } }}
        >
          {details}
        </Drawer>
      );
    return isShown ? (
      <aside className={classes.details} aria-label={label}>
        {details}
      </aside>
    ) : null;
  };
  return {
    isExpanded: isWide ? isShown : isDrawerOpen,
    toggle: () => (isWide ? setShown(!isShown) : setDrawerOpen(true)),
    paneOf,
  };
}
