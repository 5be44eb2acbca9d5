/** Where bodies that no request can carry wait to be named in one: for a day, each with its caller. */
import { randomText } from '#shared/ids.ts';

export const BODIES = 'bodies/';
export const newBodyRef = () => `body_${randomText(24)}`;
export const isBodyRef = (text: string) => /^body_[0-9A-Za-z]{24}$/.test(text);
export const bodyKey = (callerId: string, ref: string) => `${BODIES}${callerId}/${ref}`;
