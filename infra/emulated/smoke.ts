/** `npm run test:deploy` starts this: `npm run smoke` against the emulated deployment, whose addresses are in the environment. */
import { VARIABLES } from '#shared/environment.ts';
import { tellCode } from './tellCode.ts';

await tellCode(process.env[VARIABLES.apiBaseUrl]!);
await import('#infra/operator/smoke.ts');
