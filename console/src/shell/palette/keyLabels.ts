/** The label of the modifier key on this system. */
const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);

export const PALETTE_KEY_NAMES = isMac ? ['⌘', 'K'] : ['Ctrl', 'K'];
export const PALETTE_LABEL = PALETTE_KEY_NAMES.join(isMac ? '' : ' ');
