import { common } from '../messages/en/common.ts';
import { translator } from '../messages/translate.ts';
import { visibleName } from './visibleName.ts';

const t = translator('common', common);

/** Number of characters that distinguish unnamed users of a list. */
const END = 5;

export interface Named {
  name?: string | undefined;
  /** The contact, which the official client's types lack. Its name wins over the user's own. */
  contact?: { name?: string | undefined } | undefined;
}

/** Returns the name that members gave an end user, or the user's own. */
export const givenName = (user: Named | undefined): string | undefined =>
  visibleName(user?.contact?.name) ?? visibleName(user?.name);

/** Returns the name of an end user. Unnamed ones have the end of their id. */
export const personName = (user: Named & { id: string }): string =>
  givenName(user) ?? t('unnamed', { id: user.id.slice(-END) });
