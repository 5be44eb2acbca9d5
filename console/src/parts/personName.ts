import { common } from '../messages/en/common.ts';
import { translator } from '../messages/translate.ts';
import { visibleName } from './visibleName.ts';

const t = translator('common', common);

/** Number of characters that distinguish unnamed users of a list. */
const END = 5;

/** Returns the name of an end user. Unnamed ones have the end of their id. */
export const personName = ({ name, id }: { name?: string | undefined; id: string }): string =>
  visibleName(name) ?? t('unnamed', { id: id.slice(-END) });
