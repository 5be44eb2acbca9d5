/** fast-check, configured with the run's seed. */
import fc from 'fast-check';
import { SEED } from './seed.ts';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });

export default fc;
