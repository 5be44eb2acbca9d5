/** Files that belong to an integration or bot itself: icons, readmes, code. */
import { randomText } from '#shared/ids.ts';

export const ASSETS = 'assets/';
/** @param tenant the bot or integration, with which it goes */
export const newAssetKey = (tenant: string) => `${assetPrefix(tenant)}${randomText(24)}`;
export const assetPrefix = (tenant: string) => `${ASSETS}${tenant}/`;
