import { useLocalStorage } from '@mantine/hooks';
import { type Direction, useInboxSearch, type View } from '../../navigation/inboxAddress.ts';
import { defaultDirection } from './inboxViews.ts';

/** Returns the order of a view: of the address, else the one that was chosen last in this browser. */
export function useDirection(view: View): [Direction, (direction: Direction) => void] {
  const { sort } = useInboxSearch();
  const [remembered, remember] = useLocalStorage<Partial<Record<View, Direction>>>({
    key: 'parley-console-inbox-order',
    defaultValue: {},
    // The list is read once, in the remembered order.
    getInitialValueInEffect: false,
  });
  return [
    sort ?? remembered[view] ?? defaultDirection(view),
    direction => remember({ ...remembered, [view]: direction }),
  ];
}
