/** Addresses of the documentation that the installation serves. */
import { configuration } from '../session/configuration.ts';
import { GUIDES } from './guideTargets.ts';

export const guide = (name: keyof typeof GUIDES): string => `${configuration().apiUrl}/v1/docs/${GUIDES[name]}`;

export const apiReference = (): string => `${configuration().apiUrl}/v1/docs`;
